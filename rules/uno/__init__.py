"""The rules of UNO, one module a rule, under the names that players use."""
