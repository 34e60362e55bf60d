"""What programs play by: the tools of the Model Context Protocol, and its server."""
