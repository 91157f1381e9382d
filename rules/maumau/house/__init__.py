"""The rule functions of the house rules of Mau-Mau, one module a rule."""
