"""Surface realisation: English sentences for expressions and statements.

`phrases` dispatches expressions to noun phrases and clauses, `instructions` dispatches statements to drafts of
sentences, and `aggregation` joins and punctuates the drafts.
"""
