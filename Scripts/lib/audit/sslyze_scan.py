"""Runs sslyze against the server: checks Mozilla's intermediate profile, with the authority of the test certificates
trusted, and known vulnerabilities of TLS servers."""

import json
import subprocess
import sys
from tempfile import TemporaryDirectory
from pathlib import Path

from outcomes import Outcome
from servers import Endpoint


def run(endpoint: Endpoint) -> list[Outcome]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scan.json"
        scans = ("resum", "early_data", "fallback", "heartbleed", "robot", "reneg", "openssl_ccs", "compression", "ems",
                 "certinfo")
        command = [sys.executable, "-m", "sslyze", *(f"--{scan}" for scan in scans), "--mozilla_config", "intermediate",
                   "--certinfo_ca_file",
                   str(endpoint.authority), "--json_out", str(file), f"localhost:{endpoint.secure_port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        name = f"sslyze/{endpoint.name}"
        # The last lines list the differences from the profile.
        verdict = done.stdout.split("COMPLIANCE AGAINST TLS CONFIGURATION")[-1]
        profile = "" if done.returncode == 0 and "OK - Compliant" in verdict else " ".join(verdict.split())[-500:]
        outcomes = [Outcome(f"{name}/Mozilla's intermediate profile", profile)]
        if not file.exists():
            return outcomes + [Outcome(f"{name}/scan", (done.stdout + done.stderr)[-500:])]
        results = json.loads(file.read_text())["server_scan_results"][0]
    if results["scan_status"] != "COMPLETED":
        return outcomes + [Outcome(f"{name}/scan", str(results["connectivity_error_trace"])[-500:])]
    return outcomes + judge(name, results["scan_result"])


def judge(name: str, scans: dict) -> list[Outcome]:
    def result(scan: str) -> dict:
        if scans[scan]["status"] != "COMPLETED":
            return {"error": str(scans[scan]["error_trace"] or scans[scan]["status"])[-300:]}
        return scans[scan]["result"]

    outcomes = []

    def expect(title: str, scan: str, holds) -> None:
        found = result(scan)
        finding = found["error"] if "error" in found else "" if holds(found) else f"sslyze reports {shorten(found)}"
        outcomes.append(Outcome(f"{name}/{title}", finding))

    for version in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"):
        expect(f"{version} is not supported", f"{version}_cipher_suites", lambda r: not r["accepted_cipher_suites"])
    for version in ("tls_1_2", "tls_1_3"):
        expect(f"{version} is supported", f"{version}_cipher_suites", lambda r: r["accepted_cipher_suites"])
    expect("no compression", "tls_compression", lambda r: not r["supports_compression"])
    expect("no early data", "tls_1_3_early_data", lambda r: not r["supports_early_data"])
    expect("no ChangeCipherSpec injection (CVE-2014-0224)", "openssl_ccs_injection",
           lambda r: not r["is_vulnerable_to_ccs_injection"])
    expect("fallbacks are detected", "tls_fallback_scsv", lambda r: r["supports_fallback_scsv"])
    expect("no Heartbleed", "heartbleed", lambda r: not r["is_vulnerable_to_heartbleed"])
    expect("no ROBOT", "robot", lambda r: r["robot_result"].startswith("NOT_VULNERABLE"))
    expect("no renegotiation by clients", "session_renegotiation", lambda r: not r["is_vulnerable_to_client_renegotiation_dos"])
    expect("renegotiation is secure", "session_renegotiation", lambda r: r["supports_secure_renegotiation"])
    expect("resumption by tickets", "session_resumption",
           lambda r: r["tls_ticket_resumption_result"] == "FULLY_SUPPORTED")
    expect("the extended master secret", "tls_extended_master_secret", lambda r: r["supports_ems_extension"])
    # One of ECDSA, one of RSA.
    expect("two certificates of the test's authority", "certificate_info",
           lambda r: len(r["certificate_deployments"]) == 2 and all(
               deployment["received_chain_has_valid_order"] and any(
                   path["trust_store"]["path"].endswith("ca.pem") and path["was_validation_successful"]
                   for path in deployment["path_validation_results"]) for deployment in r["certificate_deployments"]))
    return outcomes


def shorten(found: dict) -> str:
    return json.dumps({key: value for key, value in found.items() if not isinstance(value, (list, dict))})[:300]
