"""Pages of other origins: an application with tokens, a hostile page, and a name that leads to this machine."""

import base64
import hashlib
import hmac
import http.server
import json
import tempfile
import threading
import time
import unittest
from pathlib import Path

from page.browser import PageCase, View, make_browser
from page.server import Server

SECRET = b"the secret of an issuer that is only used in tests"
ISSUER = "https://id.example"
# The seconds that a token lives: the first one of these that is enough for a few requests, and one that does not expire during a test.
LIFETIMES = [3, 6, 12, 24, 48, 96]
RENEWED = 3600


class OtherSite(http.server.ThreadingHTTPServer):
    """Serves an empty page for every path."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), EmptyPage)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()


class EmptyPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<!doctype html><title>Another site</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Suppresses the request log."""


def text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def token(lifetime: float) -> str:
    """Returns a token of Ada that expires after some seconds."""
    return token_until(int(time.time() + lifetime))


def token_until(expiry: int) -> str:
    head = {"alg": "HS256", "kid": "k1", "typ": "JWT"}
    claims = {"iss": ISSUER, "aud": "granary", "sub": "ada", "exp": expiry}
    content = ".".join(text(json.dumps(part).encode()) for part in [head, claims])
    return f"{content}.{text(hmac.digest(SECRET, content.encode(), hashlib.sha256))}"


# What the application does: creates a session, and reads its stream with `fetch`, which can send the token.
APPLICATION = """
const [server, token, done] = arguments;
const authorized = { Authorization: `Bearer ${token}` };
(async () => {
  const created = await fetch(`${server}/v1/sessions`, {
    method: "POST", headers: { ...authorized, "Content-Type": "application/json" }, body: '{"machine":"unio-counter"}',
  });
  const path = created.headers.get("Location");
  const response = await fetch(`${server}${path}/outputs`, { headers: { ...authorized, Accept: "text/event-stream" } });
  const stream = { path, text: "", isOpen: true };
  (window.streams ??= []).push(stream);
  (async () => {
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) stream.text += part;
    stream.isOpen = false;
  })();
  done({ path, status: response.status });
})().catch((error) => done({ error: String(error) }));
"""

SEND = """
const [server, path, method, token, done] = arguments;
fetch(server + path, { method, headers: { Authorization: `Bearer ${token}` } })
  .then(({ status }) => done(status), (error) => done(String(error)));
"""


class ApplicationTests(View, unittest.TestCase):
    """A single-page application of another origin, with tokens."""

    @classmethod
    def setUpClass(cls):
        cls.site = OtherSite()
        cls.addClassCleanup(cls.site.shutdown)
        cls.listed = f"http://127.0.0.1:{cls.site.port}"
        folder = Path(tempfile.mkdtemp(prefix="granary-page-"))
        keys = folder / "keys.json"
        keys.write_text(json.dumps({"keys": [{"kty": "oct", "kid": "k1", "alg": "HS256", "k": text(SECRET)}]}))
        keys.chmod(0o600)
        configuration = folder / "granary.json5"
        configuration.write_text(json.dumps({"access": {
            "requires": True, "jwtSkew": "0s", "origins": [cls.listed],
            "jwt": [{"issuer": ISSUER, "audiences": ["granary"], "algorithms": ["HS256"], "keys": str(keys)}],
        }}))
        cls.server = Server("--config", str(configuration))
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.browser = make_browser()
        cls.addClassCleanup(cls.browser.quit)

    def begin_and_renew(self, lifetime):
        """Begins two streams with a token, and presents the next token for the first one. Returns the paths of their sessions; nothing
        if the token has expired meanwhile."""
        expiry = int(time.time() + lifetime)
        begun = [
            self.browser.execute_async_script(APPLICATION, self.server.url, token_until(expiry)) for _ in range(2)]
        renewal = self.send(begun[0].get("path"), "HEAD", RENEWED)
        if time.time() >= expiry:
            return None
        self.assertEqual([result.get("status") for result in begun] + [renewal], [200, 200, 200], begun)
        return [result["path"] for result in begun]

    def streams(self):
        """Returns the two streams that were begun last."""
        return self.browser.execute_script("return window.streams.slice(-2)")

    def send(self, path, method, lifetime):
        return self.browser.execute_async_script(SEND, self.server.url, path, method, token(lifetime))

    def test_a_stream_outlives_its_token_if_the_next_one_is_sent_in_time(self):
        self.browser.get(self.listed)
        # On a slow machine, a token must live longer so that the next one can be sent in time.
        paths = next(filter(None, map(self.begin_and_renew, LIFETIMES)), None)
        self.assertIsNotNone(paths, f"waited for: the next token is sent within {LIFETIMES[-1]} s")
        renewed, expired = paths
        # The stream is open for another 10 s after its token has expired.
        self.wait_for("the other stream ends", lambda: not self.streams()[1]["isOpen"])
        self.assertIn('event: end\ndata: {"reason":"unauthorized"}', self.streams()[1]["text"])
        self.assertEqual(self.send(f"{renewed}/inputs/countUp", "POST", RENEWED), 200)
        self.wait_for("the change", lambda: "event: change" in self.streams()[0]["text"])
        self.assertTrue(self.streams()[0]["isOpen"])
        self.assertEqual(self.send(expired, "GET", -1), 401)

    def test_a_page_of_an_origin_that_is_not_listed_is_refused(self):
        # The same machine and port with another name is another origin.
        self.browser.get(f"http://evil.test:{self.site.port}")
        result = self.browser.execute_async_script(APPLICATION, self.server.url, token(RENEWED))
        self.assertIn("Failed to fetch", result["error"])
        self.browser.get(self.listed)
        self.assertEqual(self.send("/v1/machines", "GET", RENEWED), 200)


# What a hostile page tries without reading responses. The requests of forms go to a frame.
ATTACK = """
const [server, session, done] = arguments;
const path = `${server}/v1/sessions/${session}`;
const results = {};
const attempt = async (name, run) => {
  try {
    results[name] = await run();
  } catch (error) {
    results[name] = error.name;
  }
};
const send = (name, target, options) => attempt(name, async () => {
  const { type, status } = await fetch(target, { credentials: "include", ...options });
  return type === "opaque" ? "sent" : status;
});
(async () => {
  await send("input", `${path}/inputs/increment`, { method: "POST", mode: "no-cors" });
  await send("text", `${path}/inputs/isOn`, { method: "POST", mode: "no-cors", body: "false" });
  await send("json", `${path}/inputs/isOn`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: "false",
  });
  await send("delete", path, { method: "DELETE" });
  await send("ticket", `${path}/tickets`, { method: "POST", mode: "no-cors", body: '{"allows":["read"]}' });
  await send("creation", `${server}/v1/sessions`, { method: "POST", mode: "no-cors", body: '{"machine":"counter"}' });
  await send("reading", path, {});
  navigator.sendBeacon(`${path}/inputs/increment`);
  await attempt("stream", () => new Promise((resolve) => {
    const stream = new EventSource(`${server}/v1/outputs?session=${session}`, { withCredentials: true });
    stream.onopen = () => resolve("open");
    stream.onerror = () => resolve("refused");
  }));
  for (const encoding of ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]) {
    const frame = document.createElement("iframe");
    frame.name = encoding;
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: `${path}/inputs/increment`, enctype: encoding, target: encoding });
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    form.submit();
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 500))]);
  }
  done(results);
})();
"""


class HostilePageTests(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site = OtherSite()
        cls.addClassCleanup(cls.site.shutdown)

    def version(self, session, cookie):
        status, body = self.server.request("GET", f"/v1/sessions/{session}", **cookie)
        self.assertEqual(status, 200)
        return body["version"], body["outputs"]["count"]

    def test_a_hostile_page_changes_nothing_with_the_cookie(self):
        self.switch_on()
        self.count(1)
        session, cookie = self.session(), self.cookie()
        before = self.version(session, cookie)
        # A page of another port is of the same site, so the browser sends the cookie with all of its requests. It does not
        # with those of the other page.
        for host in ["127.0.0.1", "evil.test"]:
            with self.subTest(host):
                self.browser.get(f"http://{host}:{self.site.port}")
                results = self.browser.execute_async_script(ATTACK, self.server.url, session)
                refused = {"json", "delete", "reading"}
                self.assertEqual({results[name] for name in refused}, {"TypeError"}, results)
                self.assertEqual({results[name] for name in results.keys() - refused - {"stream"}}, {"sent"}, results)
                self.assertEqual(results["stream"], "refused")
                self.assertEqual(self.version(session, cookie), before)
                self.assertEqual(self.cookie(), cookie if host == "127.0.0.1" else {**cookie, "Cookie": ""})
        # The page itself may do the first of these.
        self.visit(self.address)
        status = self.browser.execute_async_script("""
          const [session, done] = arguments;
          fetch(`/v1/sessions/${session}/inputs/increment`, { method: "POST" }).then(({ status }) => done(status));
        """, session)
        self.assertEqual(status, 200)
        self.wait_for_number(2)

    def test_a_hostile_page_cannot_show_the_page_in_a_frame(self):
        self.browser.get(f"http://127.0.0.1:{self.site.port}")
        self.browser.execute_script("""
          const frame = document.createElement("iframe");
          frame.src = arguments[0];
          document.body.append(frame);
        """, self.server.url)
        frame = self.find("iframe")
        self.browser.switch_to.frame(frame)
        self.addCleanup(self.browser.switch_to.default_content)
        self.wait_for("the frame is refused", lambda: self.browser.execute_script("return location.href") != "about:blank")
        self.assertEqual(self.browser.find_elements("css selector", "#machines"), [])


class RebindingTests(View, unittest.TestCase):
    """A name of somebody else that leads to this machine."""

    def test_a_server_for_this_machine_serves_no_other_names(self):
        server = Server()
        server.start()
        self.addCleanup(server.stop)
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.browser.get(f"http://rebound.test:{server.port}/v1/machines")
        self.assertIn("misdirected-request", self.find("body").text)
        status = self.browser.execute_async_script("""
          const done = arguments[0];
          const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"machine":"counter"}' };
          Promise.all([fetch("/v1/machines"), fetch("/v1/sessions", options), fetch("/")])
            .then((responses) => done(responses.map(({ status }) => status)));
        """)
        self.assertEqual(status, [421, 421, 421])
        self.visit(f"http://localhost:{server.port}")
