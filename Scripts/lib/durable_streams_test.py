"""Follows a session with the official client of the Durable Streams protocol. Called by Scripts/test-durable-streams with the path of the
server and a folder."""

import http.client
import json
import pathlib
import sys
import threading
import time
import unittest

import httpx
from durable_streams import DurableStream, DurableStreamError, FetchError, RetentionGoneError, StreamNotFoundError, stream

from crash.server import Server
from crash.waiting import PATIENCE, wait_for

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def version(message: dict) -> int:
    return int(message["id"].split(".")[1])


class Reader:
    """A client that follows a session, and continues from the last offset whenever it is disconnected."""

    def __init__(self, url: str, offset: str, live: str):
        self.url, self.offset, self.live = url, offset, live
        self.messages = []
        self.disconnections = 0
        self.failure = None
        self.isOver = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        while not self.isOver:
            try:
                self.read()
            except RetentionGoneError:
                return
            except DurableStreamError as error:
                if error.status != 503:
                    self.failure = error
                    return
            except (FetchError, httpx.HTTPError):
                self.disconnections += 1
            time.sleep(0.02)

    def read(self) -> None:
        with stream(self.url, offset=self.offset, live=self.live, timeout=PATIENCE) as response:
            for event in response.iter_events(mode="json"):
                self.messages += event.data
                self.offset = event.next_offset
                if self.isOver:
                    return

    def reaches(self, wanted: int) -> bool:
        if self.failure is not None:
            raise self.failure
        return bool(self.messages) and version(self.messages[-1]) >= wanted


class DurableStreamsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY, FOLDER, False, "disk")
        cls.server.start()
        cls.addClassCleanup(cls.server.kill)

    def setUp(self) -> None:
        _, fields, _ = self.request("POST", "/v1/sessions", '{"machine":"counter"}')
        self.session = fields["Location"]
        self.url = f"http://127.0.0.1:{self.server.port}{self.session}/stream"
        self.version = 0

    def request(self, method: str, path: str, body: str = None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        finally:
            connection.close()

    def increment(self, count: int) -> None:
        for _ in range(count):
            status, _, text = self.request("POST", f"{self.session}/inputs/increment")
            self.assertEqual(status, 200, text)
            self.version = json.loads(text)["version"]

    def restart(self) -> None:
        self.server.kill()
        self.server.start()

    def outputs(self) -> dict:
        return json.loads(self.request("GET", f"{self.session}/outputs")[2])

    def merged(self, messages: list) -> dict:
        outputs = {}
        for message in messages:
            outputs.update(message["data"])
        return outputs

    def read(self, offset: str):
        with stream(self.url, offset=offset, live=False) as response:
            return response.read_json(), response.offset

    def test_messages_are_read_from_a_saved_offset_after_a_kill(self) -> None:
        self.increment(2)
        beginning, saved = self.read("-1")
        self.assertEqual([message["event"] for message in beginning], ["snapshot"])
        self.increment(3)
        self.restart()
        messages, last = self.read(saved)
        self.assertEqual([(m["event"], version(m)) for m in messages], [("change", n) for n in range(3, 6)])
        self.assertEqual(self.merged(beginning + messages), self.outputs())
        self.assertEqual(self.read(last), ([], last))
        self.assertLess(saved, last)
        with DurableStream(self.url) as handle:
            self.assertEqual(handle.head().offset, last)

    def follow(self, live: str, offset: str) -> None:
        """Follows a session over two kills, and compares what was read with what has happened."""
        reader = Reader(self.url, offset, live)
        for _ in range(2):
            self.increment(3)
            wait_for("the messages before a kill", lambda: reader.reaches(self.version))
            self.increment(2)
            self.restart()
            self.increment(2)
        wait_for("the messages after the kills", lambda: reader.reaches(self.version))
        first = version(reader.messages[0])
        self.assertEqual([version(message) for message in reader.messages], list(range(first, self.version + 1)))
        self.assertEqual([message["event"] for message in reader.messages[1:]], ["change"] * (self.version - first))
        self.assertGreater(reader.disconnections, 0)
        if offset == "-1":
            self.assertEqual(reader.messages[0]["event"], "snapshot")
            self.assertEqual(self.merged(reader.messages), self.outputs())
        else:
            self.assertEqual((reader.messages[0]["event"], first), ("change", 3))
        # The reader looks after each message. Version 0.1.0 of the client does not know closed streams, and would poll for ever.
        reader.isOver = True
        self.increment(1)
        reader.thread.join(PATIENCE)
        self.assertFalse(reader.thread.is_alive())

    def test_a_long_poll_from_the_beginning_loses_and_repeats_nothing(self) -> None:
        self.follow("long-poll", "-1")

    def test_events_from_the_beginning_lose_and_repeat_nothing(self) -> None:
        self.follow("sse", "-1")

    def test_a_long_poll_from_a_saved_offset_loses_and_repeats_nothing(self) -> None:
        self.increment(2)
        self.follow("long-poll", self.read("-1")[1])

    def test_events_from_a_saved_offset_lose_and_repeat_nothing(self) -> None:
        self.increment(2)
        self.follow("sse", self.read("-1")[1])

    def test_the_client_learns_of_the_end_and_of_what_it_may_not_do(self) -> None:
        _, last = self.read("-1")
        with DurableStream(self.url, batching=False) as handle, self.assertRaises(DurableStreamError) as refused:
            handle.append({"count": "1"})
        self.assertEqual(refused.exception.status, 405)
        self.assertEqual(self.request("DELETE", self.session)[0], 204)
        self.assertEqual(self.read(last), ([], last))
        _, fields, _ = self.request("GET", f"{self.session}/stream?offset={last}")
        self.assertEqual(fields["Stream-Closed"], "true")
        with self.assertRaises(RetentionGoneError):
            self.read("-1")
        with self.assertRaises(StreamNotFoundError), stream(
                self.url.replace(self.session, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"), offset="-1", live=False):
            pass


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
