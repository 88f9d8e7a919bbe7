"""What people can do at a table: by button, menu, form or slash command."""
