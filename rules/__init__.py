"""What the games say: pure functions and small data, without any machine, drawing or compiler.

Part of maumau.
"""
