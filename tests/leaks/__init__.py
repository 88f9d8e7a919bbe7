"""What somebody can't know changes nothing that they get."""
