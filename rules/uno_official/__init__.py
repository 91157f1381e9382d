"""The rules of UNO as printed on the box: one module for each rule that differs from `rules.uno`."""
