"""How the site is built: `sphinx-build -W -n docs OUT`, or `scripts/site`."""

import sys
from pathlib import Path

from alphaz.version import VERSION

sys.path.insert(0, str(Path(__file__).parent))

project = "alphaz"
author = "The alphaz authors"
project_copyright = author
version = release = VERSION
extensions = ["myst_parser", "alphaz_site"]
exclude_patterns = ["lessons/wrong"]
source_suffix = {".md": "markdown"}
root_doc = "index"
nitpicky = True
myst_heading_anchors = 3
html_theme = "furo"
html_title = "alphaz"
html_static_path = ["style"]
html_css_files = ["site.css"]
