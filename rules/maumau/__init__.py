"""The rules of Mau-Mau, one module a rule, under the names that players use."""
