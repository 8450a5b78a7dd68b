"""See docs/architecture.md: room 'recognizers'."""
