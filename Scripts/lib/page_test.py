"""Drives the page in a headless Chromium: page_test.py PATH-OF-GRANARY PATH-OF-SMALLEST-MACHINE [CLASS[.TEST]...]

A stand-in for the search service runs beside it, so that the outcome does not depend on the network.
"""

import sys
import unittest

from page.origin_tests import ApplicationTests, HostilePageTests, RebindingTests
from page.page_tests import PageTests
from page.principal_tests import CookielessTests, PrincipalTests
from page.sharing_tests import SharingTests
from page.smallest_machine_tests import SmallestMachineTests
from page.state_tests import StreamStateTests
from page.stream_tests import InsecureStreamTests, MultiplexedStreamTests, StreamTests

if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
