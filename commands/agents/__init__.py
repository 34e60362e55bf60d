"""What programs play by: the tools of the Model Context Protocol, and a page for those that have a shell."""
