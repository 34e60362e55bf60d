"""The program: the command line, scripts, completion. Nothing else imports it."""
