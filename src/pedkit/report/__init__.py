"""See docs/architecture.md: room 'report'. How a result looks, never how it is computed."""
