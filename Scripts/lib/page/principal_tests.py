"""The cookie of the page, and the sessions that belong to it."""

import secrets
import signal
import unittest

from page.browser import PageCase, View, make_browser
from page.server import Relay, Server

NEWS = "The server no longer has the session; this is a new session."


class PrincipalTests(PageCase):
    def test_the_counter_keeps_its_number_across_a_reload(self):
        self.switch_on()
        self.count(1, 2)
        for forgets in [False, True]:
            if forgets:
                self.browser.execute_script("sessionStorage.clear()")
            self.browser.refresh()
            self.wait_until_live()
            self.wait_for_number(2)
            self.assertEqual(self.text("#counter .news"), "")
        self.count(3)

    def test_another_tab_shows_the_same_counter(self):
        first = self.browser.current_window_handle
        self.switch_on()
        self.count(1, 2)
        second = self.open_tab(self.address)
        self.wait_until_live()
        self.wait_for_number(2)
        self.assertEqual(self.text("#counter .news"), "")
        self.count(3)
        self.browser.switch_to.window(first)
        self.wait_for_number(3)
        self.count(4)
        self.browser.switch_to.window(second)
        self.wait_for_number(4)

    def test_the_first_visit_gets_one_cookie_for_all_cards(self):
        cookies = self.browser.get_cookies()
        self.assertEqual([cookie["name"] for cookie in cookies], ["granary"])
        self.assertTrue(cookies[0]["httpOnly"])
        self.assertEqual(cookies[0]["sameSite"], "Lax")
        for machine in ["counter", "github-search", "tic-tac-toe"]:
            status, body = self.server.request("GET", f"/v1/sessions/{self.session(machine)}", **self.cookie())
            self.assertEqual((status, body["name"]), (200, "main"))

    def test_the_sessions_of_a_browser_do_not_exist_for_another(self):
        session = self.session()
        other = make_browser()
        self.addCleanup(other.quit)
        other.get(self.address)
        status = other.execute_async_script("""
          const [session, done] = arguments;
          const input = { method: "POST", headers: { "Content-Type": "application/json" }, body: "true" };
          Promise.all([fetch(`/v1/sessions/${session}`), fetch(`/v1/sessions/${session}/inputs/isOn`, input)])
            .then((responses) => done(responses.map(({ status }) => status)));
        """, session)
        self.assertEqual(status, [404, 404])
        self.assertEqual(self.server.request("GET", f"/v1/sessions/{session}")[0], 404)

    def test_a_client_without_a_cookie_uses_the_id_of_its_session(self):
        status, body = self.server.request("POST", "/v1/sessions", {"machine": "counter"})
        self.assertEqual(status, 201)
        self.assertEqual(self.server.request("GET", f"/v1/sessions/{body['id']}")[0], 200)

    def test_a_lost_cookie_begins_new_sessions(self):
        self.switch_on()
        self.count(1)
        lost = self.session()
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the news", lambda: self.text("#counter .news") == NEWS)
        self.wait_until_live()
        self.wait_for_number(0)
        self.assertNotEqual(self.session(), lost)
        self.switch_on()
        self.count(1)

    def test_a_rotated_key_keeps_sessions_until_the_old_one_is_removed(self):
        self.switch_on()
        self.count(1)
        keys = self.server.state / "granary" / "signing.keys"
        old, new = keys.read_text(), secrets.token_hex(32) + "\n"
        keys.write_text(new + old)
        self.server.process.send_signal(signal.SIGHUP)
        self.browser.refresh()
        self.wait_until_live()
        self.count(2)
        keys.write_text(new)
        self.server.process.send_signal(signal.SIGHUP)
        cookie = self.cookie()
        self.wait_for("the cookie is not accepted", lambda: self.server.request(
            "GET", f"/v1/sessions/{self.session()}", **cookie)[0] == 404)
        self.browser.refresh()
        self.wait_until_live()
        self.assertEqual(self.text("#counter .news"), NEWS)
        self.switch_on()
        self.count(1)

    def test_a_session_that_ended_before_a_reload_is_announced_as_new(self):
        self.switch_on()
        self.count(1)
        session, cookie = self.session(), self.cookie()
        self.browser.get("about:blank")
        self.assertEqual(self.server.request("DELETE", f"/v1/sessions/{session}", **cookie)[0], 204)
        self.browser.back()
        self.wait_for("the news", lambda: "this is a new session." in self.text("#counter .news"))
        self.wait_until_live()
        self.wait_for_number(0)

    def test_the_end_of_a_session_begins_the_same_new_one_in_all_tabs(self):
        first = self.browser.current_window_handle
        self.switch_on()
        self.count(1)
        second = self.open_tab(self.address)
        self.wait_until_live()
        self.assertEqual(self.server.request("DELETE", f"/v1/sessions/{self.session()}", **self.cookie())[0], 204)
        for tab in [first, second]:
            self.browser.switch_to.window(tab)
            self.wait_for("the news", lambda: "was deleted" in self.text("#counter .news"))
            self.wait_until_live()
        self.switch_on()
        self.count(1)
        self.browser.switch_to.window(first)
        self.wait_for_number(1)

    def test_an_input_to_an_ended_session_shows_an_error(self):
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        self.visit(relay.url)
        # The stream does not report the end.
        relay.is_silent = True
        self.assertEqual(self.server.request("DELETE", f"/v1/sessions/{self.session()}", **self.cookie())[0], 204)
        self.find("#counter [data-input=isOn]").click()
        self.wait_for("the news", lambda: "this is a new session" in self.text("#counter .news"))
        self.wait_for("the error", lambda: "had no effect" in self.text("#counter .note.is-error"))
        self.assertFalse(self.find("#counter [data-input=isOn]").is_selected())


class CookielessTests(View, unittest.TestCase):
    """A browser that keeps no cookies, and servers that set none."""

    def start(self, preferences=None, *flags):
        server = Server(*flags)
        server.start()
        self.addCleanup(server.stop)
        self.browser = make_browser(preferences)
        self.addCleanup(self.browser.quit)
        return server

    def use(self, url):
        self.visit(url)
        self.switch_on()
        self.count(1)

    def test_a_browser_without_cookies_has_sessions_for_each_visit(self):
        server = self.start({"profile.default_content_setting_values.cookies": 2})
        self.use(server.url)
        self.assertEqual(self.text("#counter .news"), "")
        self.open_tab(server.url)
        self.wait_until_live()
        self.assertEqual(self.text("#counter [data-output=count]"), "0")

    def test_a_browser_that_discards_cookies_unnoticed_has_sessions_after_two_attempts(self):
        server = self.start()
        relay = Relay(server.port)
        self.addCleanup(relay.close)
        relay.drops_cookies = True
        self.use(relay.url)

    def test_a_server_without_cookies_has_sessions_for_each_tab(self):
        server = self.start(None, "--access.cookie", "false")
        self.use(server.url)
        self.assertEqual(self.browser.get_cookies(), [])
        self.browser.refresh()
        self.wait_until_live()
        self.wait_for_number(1)
        self.open_tab(server.url)
        self.wait_until_live()
        self.assertEqual(self.text("#counter [data-output=count]"), "0")
