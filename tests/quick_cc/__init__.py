"""The environment in which `gcc` is quick rather than good (see the script beside this)."""
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = dict(os.environ, PATH=FOLDER + ":" + os.environ.get("PATH", ""))
