"""The site: ``make docs``. Its source is the repository, so that links between pages and notebooks
are the same here, in JupyterLab and where the repository is read."""

import os
import re
import sys
from pathlib import Path

from mwtutor.version import VERSION

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_site"))
os.environ["COLUMNS"] = "88"  # argparse breaks its usage lines for a page, not for a terminal

project = "mwtutor"
version = release = VERSION
html_title = f"mwtutor {VERSION}"
language = "en"
smartquotes = False  # -- begins an option; it is not a dash

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "mwtutor_site",
]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "notebooks/*.ipynb",
    "README.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [".*", "build", "mwtutor", "tests", "benchmarks", "examples", "scripts", "**/.*"]

# Notebooks are shown as they are stored; CI executes them elsewhere.
nb_execution_mode = "off"
nb_merge_streams = True
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
copybutton_prompt_text = r"In \[\d+\]: |\$ "
copybutton_prompt_is_regexp = True
address = re.search(r'^ADDRESS = "(.*)"$', (HERE.parent / "setup.py").read_text(), re.M)[1]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"  # light and dark, narrow and wide pages; loads nothing from elsewhere
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_site/static"]
html_extra_path = ["_site/root"]
html_css_files = ["site.css"]
html_js_files = ["theme.js"]
html_copy_source = False
html_show_copyright = False
highlight_language = "text"  # most blocks are lines of a notebook with their explanation
