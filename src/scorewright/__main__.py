"""`python -m scorewright`."""

from scorewright.cli import main

main()
