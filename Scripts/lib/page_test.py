"""Drives the page in a headless Chromium: page_test.py PATH-OF-GRANARY PATH-OF-SMALLEST-MACHINE [--gate] [CLASS[.TEST]...]

A stand-in for the search service runs beside it, so that the outcome does not depend on the network.
"""

import os
import sys
import tempfile
import unittest

from page.console_tests import ConsoleTests, FormTests
from page.development_tests import DevelopmentTests
from page.inspector_tests import InspectorTests, LongTimelineTests
from page.origin_tests import ApplicationTests, HostilePageTests, RebindingTests
from page.page_tests import PageTests
from page.principal_tests import CookielessTests, PrincipalTests
from page.sharing_tests import SharingTests
from page.smallest_machine_tests import SmallestMachineTests
from page.state_tests import StreamStateTests
from page.stream_tests import InsecureStreamTests, MultiplexedStreamTests, StreamTests

# What a user would miss first. None of these tests measures time, and each takes a few seconds.
GATE = [
    "PageTests.test_the_machines_are_listed_with_inputs_and_outputs",
    "PageTests.test_a_page_of_the_server_imports_the_client_from_it",
    "PageTests.test_a_click_changes_the_number",
    "PageTests.test_the_keyboard_reaches_the_counter",
    "PageTests.test_a_search_shows_its_results",
    "PageTests.test_hostile_text_is_shown_as_text",
    "PageTests.test_any_machine_is_driven_from_its_card",
    "PageTests.test_a_console_takes_the_focus_and_returns_it",
    "PageTests.test_the_counter_keeps_its_number_across_a_restart_of_the_server",
    "PageTests.test_the_page_reconnects_to_a_restarted_server",
    "PageTests.test_a_phone_shows_the_whole_page",
    "PageTests.test_the_browser_logs_no_errors",
    "FormTests.test_a_form_has_every_kind_of_schema",
    "ConsoleTests.test_the_log_shows_inputs_with_versions_and_times",
    "ConsoleTests.test_a_reload_and_the_history_show_the_same_consoles",
    "ConsoleTests.test_a_link_fills_the_form_and_sends_nothing",
    "PrincipalTests.test_the_counter_keeps_its_number_across_a_reload",
    "PrincipalTests.test_another_tab_shows_the_same_counter",
    "PrincipalTests.test_the_sessions_of_a_browser_do_not_exist_for_another",
    "PrincipalTests.test_an_input_to_an_ended_session_shows_an_error",
    "StreamStateTests",
    "StreamTests.test_another_console_does_not_disturb_the_others",
    "StreamTests.test_three_tabs_with_three_sessions_each_are_live",
    "SharingTests.test_two_people_play_in_two_browsers",
    "SharingTests.test_two_visitors_see_one_board",
    "HostilePageTests.test_a_hostile_page_changes_nothing_with_the_cookie",
    "InspectorTests.test_the_list_is_live_and_has_empty_and_error_states",
    "InspectorTests.test_values_are_hidden_until_they_are_revealed",
    "InspectorTests.test_a_session_is_found_forked_changed_compared_exported_and_replayed",
    "SmallestMachineTests.test_its_console_works_and_nothing_stays_disabled",
]


class CountingResult(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


if __name__ == "__main__":
    is_gate = "--gate" in sys.argv
    if is_gate:
        place = sys.argv.index("--gate")
        sys.argv[place:place + 1] = GATE
    # Contains the state of all servers and the profiles of all browsers, which may still write to them when they end.
    with tempfile.TemporaryDirectory(prefix="granary-page-", ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        runner = unittest.TextTestRunner(verbosity=2, resultclass=CountingResult)
        result = unittest.main(testRunner=runner, exit=False).result
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.passed} passed, {failed} failed, {skipped} skipped")
    # A test that is skipped proves nothing.
    sys.exit(0 if result.passed and not failed and not (is_gate and skipped) else 1)
