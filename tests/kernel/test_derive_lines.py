"""Every line of the derivation of sets is executed, by the tests of it that need no verifier and by the samples."""

import json
from pathlib import Path

import pytest

from alphaz.kernel import (
    c_coverage,
    c_instances,
    c_order,
    c_readers,
    c_sets,
    cases,
    certificate_check,
    derive,
    order,
    ranks,
    stated_sets,
)
from tests.kernel import (
    test_c_coverage,
    test_c_sets,
    test_derive,
    test_derive_by_hand,
    test_derived_c,
    test_derived_tiles,
)
from tests.kernel.executed_lines import never_executed
from tests.kernel.small_sets import equal, total

pytestmark = pytest.mark.slow


FILES, FILES_OF_C = (
    [Path(str(module.__file__)) for module in modules]
    for modules in (
        (cases, order, stated_sets, ranks, derive, certificate_check),
        (c_order, c_instances, c_readers, c_sets, c_coverage),
    )
)


def executed_again(files: list[Path]) -> None:
    """Executes the lines outside of functions."""
    for file in files:
        code = compile(file.read_text(encoding="utf-8"), str(file), "exec")
        exec(code, {"__name__": "alphaz.kernel.order", "__package__": "alphaz.kernel"})  # noqa: S102


def test_every_line_about_c_is_executed() -> None:
    for name in test_derived_c.TEXTS:
        test_derived_c.text_of(name)

    def work() -> None:
        executed_again(FILES_OF_C)
        for name in test_derived_c.TEXTS:
            program = json.loads(test_derived_c.text_of(name))
            assert test_derived_c.refusals(program) == []
        for name, change, reason in test_derived_c.MALFORMED:
            test_derived_c.test_a_malformed_inventory_is_refused(name, change, reason)
        for name, change, places in test_c_coverage.FORGED:
            test_c_coverage.test_what_is_not_covered(name, change, places)
        test_c_coverage.test_an_output_that_is_a_copy_or_a_number()
        for pieces, key, origin, points in test_c_coverage.ALONG:
            test_c_coverage.test_copies_along_an_index(pieces, key, origin, points)
        test_c_sets.test_a_subscript(total(i=1), None, expected=True)
        test_c_sets.test_an_extent_that_is_a_limit()
        test_c_sets.test_an_array_of_which_some_cells_are_held([equal(x=1)], expected=False)
        test_c_sets.test_a_dividend(total(i=1), expected=True)
        test_c_sets.test_two_items_of_one_instance()
        test_c_sets.test_a_sum_is_started_once()
        test_c_sets.test_a_malformed_sum_is_refused()
        test_c_sets.test_items_are_added_in_order([0, 1], 1)
        test_derived_c.test_a_lock_around_the_same_loop()
        for path, value in test_c_sets.MALFORMED:
            test_c_sets.test_a_malformed_inventory_is_refused(path, value)

    assert never_executed(FILES_OF_C, work) == []


def test_every_line_is_executed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for script in test_derive.SCRIPTS:
        test_derive.texts(script)

    def work() -> None:
        executed_again(FILES)
        for script in test_derive.SCRIPTS[1:]:
            test_derive.test_what_is_proved_is_proved_of_the_derived_set(script)
        test_derive.test_the_command_line(tmp_path, capsys)
        test_c_coverage.test_a_forged_certificate(1)
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
        for distance, kinds, is_right in test_derived_tiles.FOR_ALL_SIZES:
            test_derived_tiles.test_tiles_of_all_sizes(distance, kinds, (3,), is_right)
        for distance, kinds, band, is_right in test_derived_tiles.FOR_GIVEN_SIZES:
            test_derived_tiles.test_tiles_of_given_sizes(distance, kinds, band, (3,), is_right)
        for sizes, is_right in test_derived_tiles.SIZES_OF_REGISTERS:
            test_derived_tiles.test_a_merge_in_register_tiles(sizes, is_right)
        test_derive_by_hand.test_the_value_before_of_a_scan()
        for offset in (-1, 0, 1):
            test_derive_by_hand.test_other_reads_beside_a_scan(offset)
        test_derive_by_hand.test_scans_of_another_form()
        test_derive_by_hand.test_ranks_without_scans()

    assert never_executed(FILES, work) == []
