"""See docs/architecture.md: room 'data'."""
