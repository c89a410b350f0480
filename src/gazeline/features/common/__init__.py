"""What every encoder needs: its folder, its loading, the device, the shard."""
