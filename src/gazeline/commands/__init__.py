"""What the commands of `gazeline` print."""
