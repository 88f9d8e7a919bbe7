"""The content of messages: posts, their layout as components, text and custom ids."""
