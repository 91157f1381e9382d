"""What Python says of an error, which differs between its versions."""

from operator import floordiv

import pytest

with pytest.raises(ZeroDivisionError) as raised:
    floordiv(1, 0)
BY_ZERO = f"{raised.value}"
