"""Plays 64 games in lock step: kernels generated from declarations. This package depends on no game."""
