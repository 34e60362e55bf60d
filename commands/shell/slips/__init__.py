"""What somebody meant by words that no verb understands. Loaded only when a command has failed.

`search` offers what works. `verb_words` finds the verbs that the words may mean, by `verb_cards`, `verb_names` and
`sayings`, and `unsaid` those that go without saying. `fitting` fits the other words to a verb: `option_words` those
with --, `company` the names, `places` all others, as `tokens` reads them.
"""
