"""The commands of the command line: ``python -m bot COMMAND``."""
