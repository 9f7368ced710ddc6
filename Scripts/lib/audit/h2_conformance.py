"""Checks RFC 9113 section by section, each case on its own connection, in cleartext and over TLS.

These cases and their client are written in Python on purpose and share no code with the server or its Swift tests: a
mistake in the server's framing or in the Swift test clients cannot hide itself here.
"""

from concurrent.futures import ThreadPoolExecutor

import h2_connection
import h2_frames
import h2_messages
from h2cases import CASES, Case, Talk
from outcomes import Outcome
from servers import Endpoint

MODULES = (h2_connection, h2_frames, h2_messages)


def run(endpoint: Endpoint) -> list[Outcome]:
    with ThreadPoolExecutor(4) as pool:
        jobs = [(case, secure) for secure in (False, True) for case in CASES]
        return list(pool.map(lambda job: attempt(endpoint, *job), jobs))


def attempt(endpoint: Endpoint, case: Case, secure: bool) -> Outcome:
    name = f"http2/{endpoint.name}/{'tls' if secure else 'cleartext'}/{case.name}"
    try:
        talk = Talk(endpoint, secure)
    except OSError as error:
        return Outcome(name, f"no connection: {error}")
    try:
        if case.begins:
            talk.begin()
        finding = case.run(talk) or talk.fault
    except Exception as error:  # A case that throws is a finding, and the others continue.
        finding = f"{type(error).__name__}: {error}"
    finally:
        talk.sock.close()
    if not endpoint.is_alive():
        finding = f"the server exited; {finding}"
    return Outcome(name, finding)
