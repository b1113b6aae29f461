"""Document planning: selection of content, its sections and their order."""
