"""The columns of every table, one module per kind of table."""
