"""The declarations of the commands: their help, options, modes and formats."""
