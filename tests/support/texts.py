"""Texts of any characters, made without the slow tables of Unicode."""

from hypothesis import strategies as st

_CHARACTERS = (
    st.integers(32, 126) | st.integers(0, 0xD7FF) | st.integers(0xE000, 0x10FFFF)
)
"""All but the halves of surrogate pairs, which no text can have."""

TEXTS = st.lists(_CHARACTERS).map(lambda numbers: "".join(map(chr, numbers)))
