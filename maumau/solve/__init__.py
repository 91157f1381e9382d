"""What a game with a small deck is worth: exact values, perfect play, exploitability."""
