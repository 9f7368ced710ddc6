"""A game between two browsers, by a link with a ticket."""

import time
import urllib.parse

from page.browser import SCREENSHOTS, PageCase, View, make_browser, measures_time

CARD = "#tic-tac-toe"


class Player(View):
    """One of the browsers."""

    def __init__(self, browser):
        self.browser = browser

    def board(self):
        return [field.text for field in self.browser.find_elements("css selector", f"{CARD} .field")]

    def play(self, field):
        self.browser.find_elements("css selector", f"{CARD} .field")[field].click()

    def color_on_board(self, field):
        """Returns the color of a field of the board that all visitors share."""
        return self.browser.find_elements("css selector", "#board .field")[field].get_attribute("data-color")

    def status(self):
        return self.text(f"{CARD} .board + .status")

    def note(self):
        return self.text(f"{CARD} .note")

    def wait_until_it_plays(self):
        self.wait_for("the game is live", lambda: self.situation(CARD) == "live")


class SharingTests(PageCase):
    """The owner of a game is player X, and the guest is player O, who begins."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.other_browser = make_browser()
        cls.addClassCleanup(cls.other_browser.quit)

    def setUp(self):
        super().setUp()
        self.other_browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if self.other_browser.current_url.startswith("http"):
            self.other_browser.execute_script("sessionStorage.clear()")
            self.other_browser.get("about:blank")
        self.owner, self.guest = Player(self.browser), Player(self.other_browser)
        self.owner.wait_until_it_plays()

    def invite(self):
        self.find(f"{CARD} [data-action=invite]").click()
        self.wait_for("the link", lambda: self.find("#invitation").is_displayed())
        return self.find("#invitation").get_attribute("value")

    def invite_with(self, **terms):
        """Returns a link with a ticket other than those of the page."""
        session = self.session("tic-tac-toe")
        status, body = self.server.request(
            "POST", f"/v1/sessions/{session}/tickets", {"allows": ["read", "write"], **terms}, **self.cookie())
        self.assertEqual(status, 201, body)
        query = urllib.parse.urlencode({"machine": "tic-tac-toe", "session": session, "ticket": body["ticket"]})
        return f"{self.address}/#{query}"

    def join(self, link):
        self.other_browser.get(link)
        self.guest.wait_until_it_plays()
        self.guest.wait_for("the guest plays", lambda: self.guest.status().startswith("You are player O."))

    def play(self, player, field, mark):
        player.wait_for("it is the player's turn", lambda: player.status().endswith("It is your turn."))
        player.play(field)
        for each in [self.owner, self.guest]:
            each.wait_for("the move", lambda: each.board()[field] == mark)

    def test_two_people_play_in_two_browsers(self):
        link = self.invite()
        self.assertIn("#", link)
        self.browser.save_screenshot(str(SCREENSHOTS / "invitation.png"))
        self.join(link)
        self.assertEqual(self.other_browser.current_url, f"{self.address}/")
        self.assertFalse(self.guest.find(f"{CARD} [data-action=invite]").is_displayed())
        self.wait_for("the link is gone", lambda: not self.find("#invitation").is_displayed())
        self.owner.wait_for("the owner's part", lambda: self.owner.status().startswith("You are player X."))
        # It is not the owner's turn.
        self.owner.play(0)
        self.owner.wait_for("the reason", lambda: "it is the turn of player O" in self.owner.note())
        self.assertEqual(self.owner.board(), 9 * [""])
        for turn, field in enumerate([0, 3, 1, 4, 2]):
            self.play(*[(self.guest, field, "O"), (self.owner, field, "X")][turn % 2])
        self.guest.wait_for("the guest has won", lambda: self.guest.status().endswith("You have won."))
        self.owner.wait_for("the owner knows", lambda: self.owner.status().endswith("Player O has won."))
        self.other_browser.save_screenshot(str(SCREENSHOTS / "won.png"))
        self.find(f"{CARD} [data-input=startNewGame]").click()
        self.guest.wait_for("a new game", lambda: self.guest.board() == 9 * [""])

    def test_two_visitors_see_one_board(self):
        self.other_browser.get(self.address)
        for visitor in (self.owner, self.guest):
            visitor.wait_for("the board is live", lambda: visitor.situation("#board") == "live")
        before = self.owner.color_on_board(5)
        self.browser.find_elements("css selector", "#board .field")[5].click()
        self.owner.wait_for("the field is painted", lambda: self.owner.color_on_board(5) != before)
        self.guest.wait_for("the other visitor sees it", lambda: self.guest.color_on_board(5) == self.owner.color_on_board(5))
        self.find("#visitor-name").send_keys("<b>Ada</b>\n")
        self.guest.wait_for("the name as text", lambda: "<b>Ada</b>" in self.guest.text("#board [data-output=visitors]"))

    def test_the_guest_continues_after_a_reload(self):
        self.join(self.invite())
        self.play(self.guest, 0, "O")
        self.other_browser.refresh()
        self.guest.wait_until_it_plays()
        self.guest.wait_for("the game", lambda: self.guest.board()[0] == "O")
        self.play(self.owner, 1, "X")
        self.play(self.guest, 2, "O")

    def test_a_link_works_once(self):
        link = self.invite()
        self.join(link)
        self.other_browser.switch_to.new_window("tab")
        self.addCleanup(self.guest.close_other_tabs, self.other_browser.window_handles[0])
        self.other_browser.get(link)
        self.guest.wait_for("the reason", lambda: self.guest.situation(CARD) == "failed")
        self.assertIn("used", self.guest.text(f"{CARD} .detail"))
        self.guest.find(f"{CARD} .detail + button").click()
        self.guest.wait_until_it_plays()
        self.assertNotEqual(self.guest.session("tic-tac-toe"), self.session("tic-tac-toe"))

    def test_a_link_that_is_opened_in_the_tab_of_the_page_works(self):
        self.other_browser.get(self.address)
        self.guest.wait_until_it_plays()
        self.other_browser.execute_script("location.href = arguments[0]", self.invite())
        self.guest.wait_for("the guest plays", lambda: self.guest.status().startswith("You are player O."))
        self.assertNotIn("#", self.other_browser.current_url)

    @measures_time
    def test_the_ticket_is_renewed_in_time(self):
        self.join(self.invite_with(expiresIn="30s", uses=1, renewsFor="2s"))
        text = "return sessionStorage.getItem('granary-ticket-tic-tac-toe-main')"
        first = self.other_browser.execute_script(text)
        # A stream outlives its ticket by ten seconds, so it takes longer to see that the ticket was renewed.
        end = time.monotonic() + 13
        self.guest.wait_for("another ticket", lambda: self.other_browser.execute_script(text) != first)
        self.guest.wait_for("time has passed", lambda: time.monotonic() > end)
        self.assertEqual(self.guest.situation(CARD), "live")
        self.play(self.guest, 0, "O")
        self.play(self.owner, 1, "X")

    def test_revoked_tickets_end_the_game_of_the_guest(self):
        self.join(self.invite())
        session = self.session("tic-tac-toe")
        self.assertEqual(self.server.request("DELETE", f"/v1/sessions/{session}/tickets", **self.cookie())[0], 204)
        self.guest.wait_for("the end", lambda: self.guest.situation(CARD) == "failed")
        self.owner.wait_until_it_plays()
        self.guest.find(f"{CARD} .detail + button").click()
        self.guest.wait_until_it_plays()
        self.assertNotEqual(self.guest.session("tic-tac-toe"), session)

    def test_the_end_of_the_game_does_not_begin_another_one_for_the_guest(self):
        self.join(self.invite())
        session = self.session("tic-tac-toe")
        self.assertEqual(self.server.request("DELETE", f"/v1/sessions/{session}", **self.cookie())[0], 204)
        self.guest.wait_for("the end", lambda: self.guest.situation(CARD) == "failed")
        self.assertEqual(self.guest.text(f"{CARD} .detail"), "The session was deleted.")
        self.owner.wait_for("a new game", lambda: self.owner.session("tic-tac-toe") != session)

    def test_a_guest_may_only_do_what_the_ticket_permits(self):
        self.join_to_watch()
        self.guest.play(0)
        self.guest.wait_for("the reason", lambda: self.guest.find(f"{CARD} .note.is-error").is_displayed())
        self.assertEqual(self.guest.board(), 9 * [""])

    def join_to_watch(self):
        self.other_browser.get(self.invite_with(expiresIn="1h", allows=["read"], renewsFor="1h"))
        self.guest.wait_until_it_plays()
