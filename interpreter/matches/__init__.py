"""A match and what people see of it: moves, views, the log, records, examples, bots."""
