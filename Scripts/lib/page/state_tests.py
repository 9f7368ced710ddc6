"""The decisions of the client's `stream.js`, with literal events."""

from page.browser import PageCase

A, B = "AAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBB"

# Runs `steps`, a list of function names with arguments, on a new stream, and returns the actions of the last one and the stream.
RUN = """
const [steps, done] = arguments;
import("/client/stream.js").then((module) => {
  const stream = module.makeStream();
  let actions = [];
  for (const [name, ...values] of steps) actions = module[name](stream, ...values);
  done([actions, { ...stream, positions: Object.fromEntries(stream.positions) }]);
}, (error) => done(String(error)));
"""


def add(session, position=""):
    return "add", session, position


def event(session, position, data="{}"):
    return '{"session":"%s","id":"%s","data":%s}' % (session, position, data)


def end(session, reason):
    return '{"session":"%s","data":{"reason":"%s"}}' % (session, reason)


class StreamStateTests(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser.get(cls.server.url)

    def setUp(self):
        """The tests only need the modules of the client."""

    def run_steps(self, *steps):
        result = self.browser.execute_async_script(RUN, [list(step) for step in steps])
        self.assertIsInstance(result, list, result)
        return result

    def actions(self, *steps):
        return self.run_steps(*steps)[0]

    def path(self, *steps):
        return self.actions(*steps, ("timerFired",))[0]["path"]

    def test_sessions_that_are_added_together_share_a_connection(self):
        actions, stream = self.run_steps(add(A), add(B))
        self.assertEqual(actions, [{"do": "wait", "time": 20}])
        self.assertEqual(stream["connection"], "none")
        actions, stream = self.run_steps(add(A), add(B), ("timerFired",))
        self.assertEqual(actions, [
            {"do": "connect", "path": f"/v1/outputs?session={A}&session={B}"},
            {"do": "tell", "sessions": [A, B], "message": {"type": "opening"}}])
        self.assertEqual(stream["connection"], "opening")

    def test_events_go_to_the_followers_of_their_session(self):
        actions, stream = self.run_steps(
            add(A), add(B), ("timerFired",), ("opened",),
            ("received", "change", event(A, "aaaaaa.1", '{"count":"1","text":"}"}'), 0))
        self.assertEqual(actions, [{"do": "tell", "sessions": [A], "message": {
            "type": "event", "name": "change", "id": "aaaaaa.1", "data": {"count": "1", "text": "}"}}}])
        self.assertEqual(stream["positions"], {A: "aaaaaa.1", B: ""})

    def test_a_connection_continues_at_the_positions_of_all_sessions(self):
        steps = [add(A), add(B), ("timerFired",), ("opened",), ("received", "snapshot", event(A, "aaaaaa.1"), 0),
                 ("received", "snapshot", event(B, "bbbbbb.2"), 0)]
        sessions = f"/v1/outputs?session={A}&session={B}"
        self.assertEqual(self.path(*steps), f"{sessions}&lastEventID=aaaaaa.1~bbbbbb.2")
        # The stream has the outputs for another follower, unless that has a position of its own.
        self.assertEqual([action["do"] for action in self.actions(*steps, add(A))], ["greet"])
        self.assertEqual(self.path(*steps, add(A, "aaaaaa.0")), f"{sessions}&lastEventID=aaaaaa.0~bbbbbb.2")
        self.assertEqual(self.path(*steps, add(A, "cccccc.0")), f"{sessions}&lastEventID=bbbbbb.2")
        self.assertEqual(self.path(*steps, ("remove", A)), f"/v1/outputs?session={B}&lastEventID=bbbbbb.2")

    def test_a_session_that_ends_leaves_the_stream(self):
        steps = [add(A), add(B), ("timerFired",), ("received", "end", end(A, "deleted"), 0)]
        actions, stream = self.run_steps(*steps)
        told = {"do": "tell", "sessions": [A], "message": {"type": "end", "reason": "deleted"}}
        self.assertEqual(actions, [told])
        self.assertEqual(stream["positions"], {B: ""})
        # Its events and its removal have no effect any longer.
        self.assertEqual(self.actions(*steps, ("received", "change", event(A, "aaaaaa.2"), 0)), [])
        self.assertEqual(self.actions(*steps, ("remove", A)), [])
        actions = self.actions(*steps, ("received", "end", end(B, "busy"), 0))
        self.assertEqual(actions, [
            {"do": "close"}, {"do": "tell", "sessions": [B], "message": {"type": "end", "reason": "busy"}}])

    def test_the_end_of_the_stream_is_not_that_of_its_sessions(self):
        actions, stream = self.run_steps(
            add(A), ("timerFired",), ("opened",), ("received", "end", '{"reason":"draining"}', 1))
        self.assertEqual(actions, [
            {"do": "close"}, {"do": "tell", "sessions": [A], "message": {"type": "waiting", "pause": 2500}},
            {"do": "wait", "time": 2500}])
        self.assertEqual(stream["positions"], {A: ""})
        self.assertTrue(stream["isRetrying"])

    def test_pauses_double_until_a_stream_lasts(self):
        def pause(*steps):
            return self.actions(add(A), ("timerFired",), *steps, ("lost", 1))[-1]["time"]

        failures = [("lost", 1), ("timerFired",)]
        self.assertEqual([pause(*failures * count) for count in range(7)], [500, 1000, 2000, 4000, 8000, 15000, 15000])
        self.assertEqual(pause(*failures, ("opened",)), 1000)
        self.assertEqual(pause(*failures, ("lasted",)), 1000)
        self.assertEqual(pause(*failures, ("opened",), ("lasted",)), 500)
        self.assertEqual(self.actions(add(A), ("timerFired",), ("lost", 0))[-1]["time"], 250)

    def test_a_refused_stream_releases_its_sessions(self):
        actions, stream = self.run_steps(add(A), ("timerFired",), ("refused", 403, 0, 0))
        self.assertEqual(actions, [
            {"do": "close"}, {"do": "tell", "sessions": [A], "message": {"type": "end", "reason": "refused"}}])
        self.assertEqual(stream["positions"], {})

    def test_only_an_open_stream_is_doubted(self):
        steps = [add(A), ("timerFired",)]
        self.assertEqual(self.actions(*steps, ("doubted", 0)), [])
        self.assertEqual(self.actions(*steps, ("opened",), ("doubted", 0))[-1], {"do": "wait", "time": 250})

    def test_the_next_attempt_waits_unless_there_is_news_from_the_server(self):
        steps = [add(A), add(B), ("timerFired",), ("lost", 0)]
        self.assertEqual(self.actions(*steps, ("remove", A)), [])
        self.assertEqual(self.actions(*steps, add(A)), [{"do": "wait", "time": 20}])
        self.assertEqual(self.actions(*steps, ("remove", A), ("remove", B)), [{"do": "close"}])
        self.assertEqual(self.actions(add(A), add(B), ("timerFired",), ("remove", A)), [{"do": "wait", "time": 20}])

    def test_unknown_events_have_no_effect(self):
        for text in ["{}", '{"session":"' + B + '","id":"x.1","data":{}}']:
            self.assertEqual(self.actions(add(A), ("timerFired",), ("received", "change", text, 0)), [])
