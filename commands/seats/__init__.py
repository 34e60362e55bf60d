"""Seats: what players propose and answer from their phones, beside the ledger, until the game master decides."""
