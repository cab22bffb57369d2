"""The version of alphaz. The distribution takes it from here, so no metadata of packages are read."""

VERSION = "0.1.0"
