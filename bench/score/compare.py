"""The peer: a plain typed comparison of two CSV tables, as one would write it in Python.

It does what the crate does for a clean pair of files: reads with the csv module, finds out which columns of the key are
numbers, compares numbers as Decimal and text in NFC without surrounding space, maps columns by their names, and compares
rows as multisets. It repairs nothing, and shows missing and unexpected rows without pairing them.
"""

import csv
import io
import json
import sys
import time
import unicodedata
from collections import Counter
from decimal import Decimal, InvalidOperation


def read(data):
    header, *rows = csv.reader(io.StringIO(data.decode("utf-8"), newline=""))
    return header, rows


def is_number(cell):
    try:
        Decimal(cell)
    except InvalidOperation:
        return False
    return not (cell[:1] == "0" and cell[1:2].isdigit())


def text(cell):
    cell = unicodedata.normalize("NFC", cell.strip())
    return cell[1:-1] if cell.startswith("<") and cell.endswith(">") else cell


def compare(key, answer):
    key_header, key_rows = read(key)
    answer_header, answer_rows = read(answer)
    readers = [Decimal if all(map(is_number, column)) else text for column in zip(*key_rows)]
    places = [answer_header.index(name) for name in key_header]
    key_counts = Counter(tuple(read(cell) for read, cell in zip(readers, row)) for row in key_rows)
    answer_counts = Counter(
        tuple(read(row[place]) for read, place in zip(readers, places)) for row in answer_rows
    )
    matched = (key_counts & answer_counts).total()
    return {
        "matched": matched,
        "precision": matched / len(answer_rows),
        "recall": matched / len(key_rows),
        "exact": key_counts == answer_counts,
        "missing": list((key_counts - answer_counts).elements()),
        "unexpected": list((answer_counts - key_counts).elements()),
    }


def main():
    key_file, answer_file, repeats = sys.argv[1:4]
    with open(key_file, "rb") as file:
        key = file.read()
    with open(answer_file, "rb") as file:
        answer = file.read()
    seconds = []
    for _ in range(int(repeats)):
        start = time.perf_counter()
        result = compare(key, answer)
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds, "matched": result["matched"]}))


if __name__ == "__main__":
    main()
