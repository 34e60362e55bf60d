"""The page for any browser: the program under Pyodide, in a folder of plain files. Not in the wheel."""
