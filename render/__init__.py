"""Output of games, machines and studies: text, diagrams, pages and reports.

Part of maumau.
"""
