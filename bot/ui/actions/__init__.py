"""Actions of people at a table: by button, menu, form or slash command."""
