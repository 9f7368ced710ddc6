"""Drives the page in a headless Chromium: page_test.py PATH-OF-GRANARY PATH-OF-SMALLEST-MACHINE [CLASS[.TEST]...]

A stand-in for the search service runs beside it, so that the outcome does not depend on the network.
"""

import os
import sys
import tempfile
import unittest

from page.inspector_tests import InspectorTests, LongTimelineTests
from page.origin_tests import ApplicationTests, HostilePageTests, RebindingTests
from page.page_tests import PageTests
from page.principal_tests import CookielessTests, PrincipalTests
from page.sharing_tests import SharingTests
from page.smallest_machine_tests import SmallestMachineTests
from page.state_tests import StreamStateTests
from page.stream_tests import InsecureStreamTests, MultiplexedStreamTests, StreamTests

if __name__ == "__main__":
    # Contains the state of all servers and the profiles of all browsers, which may still write to them when they end.
    with tempfile.TemporaryDirectory(prefix="granary-page-", ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
