"""Tests of bench_heap.py."""

import pathlib
import tempfile
import unittest

from bench_heap import read_blocks, table, type_name


class HeapTest(unittest.TestCase):
    def test_names_have_no_modules_and_types(self):
        self.assertEqual(type_name("CombineCore.Connection<CombineCore.Subject<()>, A.B>"), "Connection")
        self.assertEqual(type_name("StateCapture.(unknown context at $5580ca6d088c).Kept<Swift.Int>"), "Kept")
        self.assertEqual(type_name("Swift._ContiguousArrayStorage<Swift.UInt8>"), "array of UInt8")
        self.assertEqual(type_name("Swift._ContiguousArrayStorage<Swift.AnyObject>"), "array of objects")
        self.assertEqual(type_name("block"), "memory without a type")

    def test_blocks_that_few_sessions_cause_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "blocks"
            path.write_text("48 A.B\n" * 8 + "64 A.B<C>\n" * 4 + "4384 block\n" * 1 + "end\n")
            self.assertEqual(dict(read_blocks(path, 4)), {"B": [3, 160]})

    def test_small_types_are_one_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "blocks"
            path.write_text("48 A.B\n8 A.C\n8 A.D\nend\n")
            text = table({"disk": read_blocks(path, 1), "memory": read_blocks(path, 1)})
        self.assertIn("| B | 1 | 48 | 48 |\n| others |  | 16 | 16 |\n| **all** |  | **64** | **64** |", text)


if __name__ == "__main__":
    unittest.main()
