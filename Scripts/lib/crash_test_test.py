"""Tests of the checker of the crash test: it finds each broken promise, and accepts what a sound server shows."""

import unittest

from crash.checker import Checker
from crash.clients import split


class CheckerTest(unittest.TestCase):
    def setUp(self):
        self.checker = Checker()
        self.checker.created("s", "creation")
        self.checker.send("s", ["a", "b"])
        self.checker.acknowledge("s", ["a"], "k", 1, "{a}")

    def kinds(self) -> list:
        return [kind for kind, texts in self.checker.found.items() for _ in texts]

    def test_a_sound_history_has_no_violations(self):
        self.checker.acknowledge("s", ["a"], "k", 1, "{a}")
        self.checker.changed("s", "e", 1, "{a}")
        self.checker.showed("s", 1, {"marks": ["a"]}, 1, "e")
        self.checker.showed("s", 2, {"marks": ["a", "b"]}, self.checker.floor("s"))
        self.checker.created("s", "creation")
        self.assertEqual(self.checker.violations, [])

    def test_an_acknowledged_input_must_stay(self):
        self.checker.showed("s", 1, {"marks": ["b"]})
        self.assertEqual(self.kinds(), ["lost"])

    def test_a_later_read_must_not_show_an_older_version(self):
        self.checker.showed("s", 0, {"marks": []}, self.checker.floor("s"))
        self.assertEqual(self.kinds(), ["lost"])

    def test_an_effect_must_not_appear_twice(self):
        self.checker.showed("s", 1, {"marks": ["a", "a"]})
        self.assertEqual(self.kinds(), ["twice"])

    def test_what_nobody_sent_must_not_appear(self):
        self.checker.showed("s", 1, {"marks": ["a", "x"]})
        self.assertEqual(self.kinds(), ["twice"])

    def test_a_key_must_have_one_response(self):
        self.checker.acknowledge("s", ["a"], "k", 2, "{a}")
        self.assertEqual(self.kinds(), ["twice"])

    def test_a_key_must_create_one_session(self):
        self.checker.created("t", "creation")
        self.assertEqual(self.kinds(), ["twice"])

    def test_a_version_must_have_one_content(self):
        self.checker.changed("s", "e", 1, "{b}")
        self.checker.showed("s", 1, {"marks": ["a"]})
        self.checker.showed("s", 1, {"marks": ["a", "b"]})
        self.assertEqual(self.kinds(), ["contents", "contents"])

    def test_a_new_epoch_and_a_missing_session_are_reported(self):
        self.checker.changed("s", "e", 1, "{a}")
        self.checker.changed("s", "f", 1, "{a}")
        self.checker.missing("s", 404)
        self.assertEqual(self.kinds(), ["sessions", "epochs"])

    def test_a_response_is_split_into_version_and_changes(self):
        self.assertEqual(split('{"version":12,"changes":{"count":1}}'), (12, '{"count":1}'))


if __name__ == "__main__":
    unittest.main()
