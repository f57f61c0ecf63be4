//! How well one table answers another: exact, ordered, precision, recall, f1 and the row diff.
