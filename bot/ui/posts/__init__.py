"""What a message says, before it is sent: posts, their layout as components, text, custom ids."""
