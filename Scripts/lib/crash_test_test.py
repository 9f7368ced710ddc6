"""Tests of the crash test: it writes down what its clients see, and its clients wait for events."""

import json
import pathlib
import tempfile
import threading
import unittest

from crash.checker import Checker
from crash.clients import Client, Gate, await_progress, split, stop
from crash.waiting import Failure, wait_for


class CheckerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "sightings"
        # Prints what it reads, so that each sighting is a violation.
        self.checker = Checker("cat", self.log, ["added"])
        self.addCleanup(self.checker.file.close)

    def test_the_program_gets_each_sighting_in_its_order(self):
        self.checker.record("created", "s", key="k")
        self.checker.showed("s", 2, {"marks": ["a"], "n": {"b": 1, "a": 2}}, 1, "e")
        self.checker.missing("s", 404)
        self.checker.judge()
        self.assertEqual([json.loads(line) for line in self.checker.violations], [
            {"created": {"session": "s", "key": "k"}}, {"sent": {"session": "s", "marks": ["added"]}},
            {"outputs": {
                "session": "s", "outputs": {"marks": '["a"]', "n": '{"a": 2, "b": 1}'}, "marks": ["a"], "version": 2,
                "epoch": "e", "floor": 1}},
            {"end": {"session": "s", "detail": "status 404"}}])

    def test_the_newest_version_is_the_floor_of_the_next_request(self):
        self.checker.record("created", "s", key="k")
        self.assertEqual(self.checker.floor("s"), 0)
        self.checker.record("acknowledged", "s", marks=["a"], key="l", version=3, change="{}")
        self.checker.showed("s", 2, {})
        self.assertEqual(self.checker.floor("s"), 3)
        self.assertEqual((self.checker.acknowledgements, self.checker.acknowledged["s"]), (1, {"a"}))

    def test_violations_are_counted_by_kind(self):
        self.checker.violations = ["lost input in s: a", "lost version in s: b", "new epoch in s: c"]
        self.assertEqual(self.checker.count("lost input", "lost version"), 2)
        self.assertEqual(self.checker.count("lost session"), 0)

    def test_a_checker_that_fails_is_a_failure(self):
        self.checker.program = "false"
        with self.assertRaisesRegex(Failure, "false ended with status 1"):
            self.checker.judge()

    def test_a_response_is_split_into_version_and_changes(self):
        self.assertEqual(split('{"version":12,"changes":{"count":1}}'), (12, '{"count":1}'))


class GateTest(unittest.TestCase):
    def test_a_closed_gate_waits_for_those_inside_and_stops_the_others(self):
        gate, arrived = Gate(), threading.Event()
        order = []

        def client():
            with gate:
                arrived.set()
                wait_for("the gate is closed", lambda: not gate.is_open)
                order.append("left")
            with gate:
                order.append("returned")

        thread = threading.Thread(target=client)
        thread.start()
        arrived.wait()
        with gate.closed():
            order.append("closed")
        thread.join()
        self.assertEqual(order, ["left", "closed", "returned"])

    def test_a_gate_opens_after_an_error(self):
        gate = Gate()
        with self.assertRaises(KeyError), gate.closed():
            raise KeyError
        with gate:
            pass


class CountingClient(Client):
    def __init__(self, error=None):
        super().__init__(0, None, None)
        self.failure = error

    def work(self):
        if self.failure:
            raise self.failure
        while not self.stopping.is_set():
            self.count += 1


class WaitingTest(unittest.TestCase):
    def test_a_condition_is_checked_after_the_limit(self):
        self.assertEqual(wait_for("an answer", lambda: "found", limit=-1), "found")

    def test_a_condition_that_does_not_come_true_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "waited 0 s for: nothing"):
            wait_for("nothing", lambda: False, limit=0)

    def test_all_clients_make_progress(self):
        clients = [CountingClient(), CountingClient()]
        for client in clients:
            client.start()
        await_progress(clients)
        stop(clients)
        self.assertTrue(all(client.count for client in clients))

    def test_a_client_that_has_failed_is_not_waited_for(self):
        clients = [CountingClient(ValueError("broken"))]
        clients[0].start()
        await_progress(clients)
        with self.assertRaisesRegex(Failure, "broken"):
            stop(clients)


if __name__ == "__main__":
    unittest.main()
