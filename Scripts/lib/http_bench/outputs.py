"""Parses the output of wrk and h2load."""

import re

from http_bench.processes import Failure

# Their units of duration, in microseconds.
MICROSECONDS = {"us": 1, "ms": 1000, "s": 1_000_000, "m": 60_000_000}


def wrk(text: str) -> tuple:
    """Returns the number of requests, their rate, and the median and 99th percentile in microseconds."""
    wrong = re.search(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", text)
    if wrong:
        raise Failure(wrong[0])
    count = found(r"(\d+) requests in", text)
    rate = found(r"Requests/sec:\s+([\d.]+)", text)
    quantiles = [found(rf"\s{part}%\s+([\d.]+)(us|ms|s|m)\b", text) for part in (50, 99)]
    return int(count[1]), float(rate[1]), [float(one[1]) * MICROSECONDS[one[2]] for one in quantiles]


def h2load(text: str) -> tuple:
    """Returns the number of requests and their rate."""
    done = found(r"(\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored", text)
    if int(done[1]) == 0 or done[1] != done[2]:
        raise Failure(done[0])
    return int(done[1]), float(found(r"([\d.]+) req/s", text)[1])


def h2load_log(lines) -> list:
    """Returns the median and the 99th percentile in microseconds from the log of all requests."""
    durations = sorted(int(line.split("\t")[2]) for line in lines)
    if not durations:
        raise Failure("h2load logged no request")
    return [durations[(len(durations) - 1) * part // 100] for part in (50, 99)]


def found(pattern: str, text: str) -> re.Match:
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"expected {pattern} in {text[-300:]!r}")
    return match
