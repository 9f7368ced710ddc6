"""Tests of the crash test: its checker finds each broken promise and accepts what a sound server shows, and its clients wait for events."""

import threading
import unittest

from crash.checker import Checker
from crash.clients import Client, Gate, await_progress, split, stop
from crash.waiting import Failure, wait_for


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
