"""The ways to search, by their names."""

from collections.abc import Mapping
from types import MappingProxyType

from alphaz.tuning.search import Search
from alphaz.tuning.searches.exhaustive import Exhaustive
from alphaz.tuning.searches.genetic import Genetic
from alphaz.tuning.searches.learned import Learned
from alphaz.tuning.searches.orthogonal import Orthogonal
from alphaz.tuning.searches.sampling import Sampling

SEARCHES: Mapping[str, Search] = MappingProxyType(
    {search.name: search for search in (Exhaustive(), Sampling(), Orthogonal(), Genetic(), Learned())}
)
