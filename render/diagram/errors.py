"""What can go wrong when a diagram is drawn."""


class DiagramError(RuntimeError):
    """Nothing is installed that can draw a picture; the message tells what to install."""
