"""From the words of a command line to an order; and back to the one who typed them."""
