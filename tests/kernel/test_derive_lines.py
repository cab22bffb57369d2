"""Every line of the derivation of sets is executed, by the tests of it that need no verifier and by the samples."""

from pathlib import Path

import pytest

from alphaz.kernel import c_sets, cases, certificate_check, derive, order, ranks, stated_sets
from tests.kernel import test_c_sets, test_derive, test_derive_by_hand, test_derived_tiles
from tests.kernel.executed_lines import never_executed
from tests.kernel.small_sets import total

pytestmark = pytest.mark.slow


FILES = [Path(str(module.__file__)) for module in (cases, order, stated_sets, ranks, c_sets, derive, certificate_check)]


def test_every_line_is_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for script in test_derive.SCRIPTS:
        test_derive.texts(script)

    def work() -> None:
        for file in FILES:
            code = compile(file.read_text(encoding="utf-8"), str(file), "exec")
            exec(code, {"__name__": "alphaz.kernel.order", "__package__": "alphaz.kernel"})  # noqa: S102
        for script in test_derive.SCRIPTS[1:]:
            test_derive.test_what_is_proved_is_proved_of_the_derived_set(script)
        test_derive.test_the_command_line(tmp_path, capsys)
        test_derive_by_hand.test_a_domain_with_a_quotient(1, expected=True)
        for factor, expected in test_derive_by_hand.FACTORS:
            test_derive_by_hand.test_parallel_writes_with_a_mod_factor(factor, expected)
        test_derive_by_hand.test_two_spaces_and_two_factors()
        test_derive_by_hand.test_a_quotient_that_hides_an_index()
        test_derive_by_hand.test_nothing_is_accumulated_into_what_is_there_from_the_start(running=True, expected=True)
        test_derive_by_hand.every_kind_of_tiles()
        test_derive_by_hand.every_kind_of_ranks()
        for change, reason in test_derive.MALFORMED:
            if "dimension" in reason:
                test_derive.test_a_malformed_inventory_is_refused(change, reason)
        test_derive.test_a_key_that_lacks_a_family()
        test_c_sets.test_a_subscript(total(i=1), None, expected=True)
        test_c_sets.test_extents_that_the_inventory_does_not_define()
        test_c_sets.test_two_items_of_one_instance()
        test_c_sets.test_a_sum_is_started_once()
        test_c_sets.test_a_malformed_sum_is_refused()
        for path, value in test_c_sets.MALFORMED:
            test_c_sets.test_a_malformed_inventory_is_refused(path, value)
        for distance, kinds, is_right in test_derived_tiles.FOR_ALL_SIZES:
            test_derived_tiles.test_tiles_of_all_sizes(distance, kinds, (3,), is_right)
        for distance, kinds, band, is_right in test_derived_tiles.FOR_GIVEN_SIZES:
            test_derived_tiles.test_tiles_of_given_sizes(distance, kinds, band, (3,), is_right)
        for sizes, is_right in test_derived_tiles.SIZES_OF_REGISTERS:
            test_derived_tiles.test_a_merge_in_register_tiles(sizes, is_right)

    assert never_executed(FILES, work) == []
