"""`python -m nurikabe_mip` is the command `nurikabe-mip`."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="nurikabe-mip")
