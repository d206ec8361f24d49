"""`python -m scorewright.cli`."""

from scorewright.cli import main

main()
