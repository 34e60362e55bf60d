"""What somebody meant by words that no verb understands. Loaded only when a command has failed.

`search` offers what works. `verb_words` finds the verbs that the words may mean, by `verb_cards`, `verb_names` and
`sayings`, and `unsaid` those that go without saying. `fitting` fits the other words to a verb: `rewordings` says them
in the words of its fields, `option_words` fits those with --, `company` the names, and `places` all others, by the
`kinds` of the fields, as `tokens` reads them.
"""
