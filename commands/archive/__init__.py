"""Archives: the tables of many campaigns in one folder, as other programs read them."""
