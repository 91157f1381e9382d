"""The games of this package: the page of each, phase by phase."""
