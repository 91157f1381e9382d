"""The rules of UNO: one module for each rule, named as players name it."""
