"""The rules of Mau-Mau: one module for each rule, named as players name it."""
