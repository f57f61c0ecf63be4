"""Makes this folder's golden values, and `src/lexical/kept.rs`, with the packages that the crate must agree with.

    pip install rapidfuzz==3.14.6 scikit-learn==1.9.1
    python3 crates/ava/test_data/make.py
"""

import json
import random
from pathlib import Path

import numpy
import rapidfuzz
import sklearn
from rapidfuzz import fuzz, utils
from sklearn import metrics

from pairs import pairs

HERE = Path(__file__).resolve().parent
CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def kept():
    """Every code point that default_process does not turn into a space, as ranges."""
    ranges = []
    for code in CODES:
        processed = utils.default_process(f"a{chr(code)}b")
        assert len(processed) == 3
        if processed[1] == " ":
            continue
        expected = "i" if code == 0x130 else chr(code).lower()
        assert processed[1] == expected, hex(code)
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    lines = [
        f"//! The letters and numbers of `RapidFuzz` {rapidfuzz.__version__}'s `default_process`, made by `test_data/make.py`.",
        "",
        "/// First and last code point of each range, ascending: the categories L and N of the Unicode that its table was made",
        "/// from. The standard library's tables are newer and grow, so they would not do.",
        "#[rustfmt::skip]",
        f"pub(super) const KEPT: [(u32, u32); {len(ranges)}] = [",
    ]
    for start in range(0, len(ranges), 6):
        row = ", ".join(f"(0x{a:X}, 0x{b:X})" for a, b in ranges[start : start + 6])
        lines.append(f"    {row},")
    lines.append("];")
    (HERE.parent / "src/lexical/kept.rs").write_text("\n".join(lines) + "\n")


def lexical():
    """Pairs with their ratio on the raw and on the processed texts."""
    with open(HERE / "lexical.jsonl", "w", encoding="utf-8") as file:
        for first, second in pairs(600, seed=1):
            row = [
                first,
                second,
                fuzz.token_set_ratio(first, second),
                fuzz.token_set_ratio(first, second, processor=utils.default_process),
            ]
            file.write(json.dumps(row, ensure_ascii=True) + "\n")


def shuffles():
    """What `random.Random(seed).shuffle(list(range(n)))` makes, and the first draws below n."""
    cases = []
    for seed in [0, 1, 42, 2**32 - 1, 2**32, 2**63 + 5]:
        for count in [0, 1, 2, 3, 10, 64, 163, 1000]:
            order = list(range(count))
            random.Random(seed).shuffle(order)
            cases.append({"seed": seed, "count": count, "order": order if count <= 163 else order[:40]})
    (HERE / "shuffles.json").write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")


def classification():
    """Pairs of cosines with scikit-learn's figures, ties among them included."""
    cases = []
    for seed in range(40):
        source = random.Random(seed)
        count = source.choice([1, 2, 3, 10, 100])
        # Few levels make many ties.
        levels = source.choice([2, 5, 20, 10**9])
        value = lambda centre: min(1.0, max(-1.0, round(source.gauss(centre, 0.3) * levels) / levels))
        positive = [value(0.6) for _ in range(count)]
        negative = [value(0.4) for _ in range(count)]
        threshold = source.choice([0.5, 0.0, 0.2, positive[0]])
        truth = numpy.array([1] * count + [0] * count)
        scores = numpy.array(positive + negative)
        said = scores >= threshold
        cases.append({
            "anchor_positive": positive,
            "anchor_negative": negative,
            "threshold": threshold,
            "accuracy": metrics.accuracy_score(truth, said),
            "precision": metrics.precision_score(truth, said, zero_division=0),
            "recall": metrics.recall_score(truth, said, zero_division=0),
            "f1": metrics.f1_score(truth, said, zero_division=0),
            "roc_auc": metrics.roc_auc_score(truth, scores),
            "avg_precision": metrics.average_precision_score(truth, scores),
        })
    text = ",\n".join(json.dumps(case) for case in cases)
    (HERE / "classification.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    print(f"rapidfuzz {rapidfuzz.__version__} ({fuzz.token_set_ratio.__module__}), scikit-learn {sklearn.__version__}")
    kept()
    lexical()
    shuffles()
    classification()
