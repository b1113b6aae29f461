"""Confidence intervals and corrections against published values and hand calculations."""

from math import sqrt

import pytest

from cardlang.analysis.balance.report_statistics import (
    adjust_p_values,
    compute_sample_size,
    compute_z_score,
    estimate_mean,
    estimate_share,
)


def test_wilson_interval_equals_published_table() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (count, of), (low, high) in printed.items():
        found = estimate_share(count, of)
        assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_interval_satisfies_its_equation() -> None:
    """What defines it: an end p has |share - p| = z sqrt(p (1 - p) / n)."""
    for count, of, looked in [(5, 50, 1), (300, 1000, 4), (999, 1000, 27)]:
        found, z = estimate_share(count, of, looked), compute_z_score(looked)
        for end in (found.low, found.high):
            assert abs(found.share - end) == pytest.approx(z * sqrt(end * (1 - end) / of))


def test_z_score_grows_with_the_number_of_intervals() -> None:
    assert compute_z_score(1) == pytest.approx(1.959964, abs=1e-6)
    assert compute_z_score(10) == pytest.approx(2.807034, abs=1e-6)  # 0.25% on each side
    nothing = estimate_share(0, 0)
    assert (nothing.low, nothing.high) == (0, 1)


def test_mean_interval_equals_arithmetic() -> None:
    """1, 2, 3, 4, 5: mean 3, standard error sqrt(2.5 / 5)."""
    assert estimate_mean(15, 55, 5) == pytest.approx((3, 3 - 1.959964 * sqrt(0.5), 3 + 1.959964 * sqrt(0.5)))


def test_sample_size_equals_arithmetic() -> None:
    """Half of all, 2.5 points to each side: 0.25 (1.96 / 0.025)² = 1,536.6."""
    assert compute_sample_size(0.5, 0.025, 1) == 2000
    assert compute_sample_size(0.5, 0.1, 1) == 100  # 96.04


def test_holm_correction_equals_arithmetic() -> None:
    """Ordered 0.01, 0.02, 0.03, 0.04, times 4, 3, 2, 1, never smaller than one before."""
    assert adjust_p_values([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjust_p_values([0.9, 0.6]) == [1.0, 1.0]
    assert adjust_p_values([]) == []
