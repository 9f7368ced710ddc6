"""Checks the OpenAPI documents of a server. Called by Scripts/test-openapi with the paths of the server, of schemathesis
and of the program with the printed Swift types."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import jsonschema
from openapi_spec_validator import validate

# The time that only a failure takes, in seconds.
PATIENCE = 120

# RFC 9110 §9.1: a method that the server does not recognize gets 501, so only those that it does are tried. 410 and 412 are
# the responses to valid requests for sessions that another operation has ended or changed.
CONFIGURATION = """
generation.max-examples = {examples}
request-timeout = 120
[phases.coverage]
unexpected-methods = ["PUT", "PATCH", "DELETE", "POST"]
[phases.stateful]
enabled = false
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 410, 412, 429, 507{more}]
[checks.unsupported_method]
enabled = {methods}
[checks.negative_data_rejection]
enabled = {rejects}
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 429]
"""
# Schemathesis sends entity tags without their quotes (400). A key may have been used: for another request (422), or for the same one, whose
# response is then repeated although the fields are wrong.
LENIENT = ", 400, 422"
# So they are left out where values are checked strictly.
UNCHECKED = tuple(f"#/components/parameters/{name}" for name in ("If-Match", "If-None-Match", "Idempotency-Key"))


def fetch(address, path):
    with urllib.request.urlopen(address + path, timeout=PATIENCE) as response:
        return json.load(response)


def untyped(schema, place):
    """Returns the places of schemas that accept anything."""
    if schema is True or schema == {}:
        return [place]
    found = []
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            found += untyped(part, f"{place}/{name}")
        for name in ("items", "additionalProperties"):
            if name in schema:
                found += untyped(schema[name], f"{place}/{name}")
        for part in schema.get("anyOf", []) + schema.get("oneOf", []) + schema.get("allOf", []):
            found += untyped(part, place)
    return found


def resolvable(schema, document):
    """Returns a schema with the components that it may refer to."""
    return {**schema, "components": document["components"]}


def check_document(document):
    validate(document)
    found = [place for name, schema in document["components"]["schemas"].items() for place in untyped(schema, name)]
    for path, item in document["paths"].items():
        content = item.get("post", {}).get("requestBody", {}).get("content", {})
        for body in content.values():
            found += untyped(body["schema"], path)
            if "example" in body:
                jsonschema.validate(body["example"], resolvable(body["schema"], document))
    if found:
        sys.exit("untyped: " + ", ".join(found))


def run_schemathesis(schemathesis, address, document, more, examples, folder):
    """Runs schemathesis and returns the number of requests."""
    configuration, file_name = os.path.join(folder, "schemathesis.toml"), os.path.join(folder, "openapi.json")
    with open(configuration, "w") as file:
        # A session that has ended gets 410 for all methods.
        methods = "/v1/sessions" not in document["paths"]
        file.write(CONFIGURATION.format(
            examples=examples, more=more, methods=str(methods).lower(), rejects=str(not more).lower()))
    with open(file_name, "w") as file:
        json.dump(document, file)
    command = [schemathesis, "--config-file", configuration, "run", file_name, "--url", address, "--seed", "1"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if result.returncode:
        sys.exit(result.stdout + result.stderr)
    return re.search(r"(\d+) generated", result.stdout).group(1)


def add_bounds(value):
    """Adds the bounds of integers with a format, which schemathesis does not know."""
    if isinstance(value, dict):
        if value.get("format") == "int64":
            value.update(minimum=-(2**63), maximum=2**63 - 1)
        if value.get("format") == "uint64":
            value.update(maximum=2**64 - 1)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        add_bounds(part)


def strict(document):
    """Returns a document without the fields that are not checked."""
    add_bounds(document)
    # A schema cannot limit durations to 30 days.
    document["paths"].pop("/v1/sessions/{session}/tickets", None)
    # Nor can it require an offset where `live` is given.
    document["paths"].pop("/v1/sessions/{session}/stream", None)
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "parameters" in operation:
                operation["parameters"] = [p for p in operation["parameters"] if p.get("$ref") not in UNCHECKED]
    return document


def input_examples(document):
    """Returns the example of each input of a machine, by the description."""
    prefix = "/v1/sessions/{session}/inputs/"
    contents = {path: item["post"]["requestBody"]["content"] for path, item in document["paths"].items() if path.startswith(prefix)}
    return [
        {"name": urllib.parse.unquote(path.removeprefix(prefix)), "value": content["application/json"]["example"]}
        for path, content in contents.items()]


def check_types(consumer, address, examples):
    """Lets the program with the printed types send the examples and decode the changes."""
    result = subprocess.run(
        [consumer, address], input=json.dumps(examples), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
    print(result.stdout, end="")
    if result.returncode != 0 or result.stdout.count(" decoded\n") != len(examples):
        sys.exit(f"expected decoded changes of {list(examples)}, got status {result.returncode}")


def main(binary, schemathesis, consumer):
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        os.mkdir(state, 0o700)
        server = subprocess.Popen(
            [binary, "serve", "--http.port", "0", "--sessions.stateDirectory", state, "--stream.lifetime", "1s"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            # The first line names the address.
            address = re.search(r"http://[0-9.:]+", server.stdout.readline()).group(0)
            document = fetch(address, "/openapi.json")
            check_document(document)
            count = run_schemathesis(schemathesis, address, document, LENIENT, 10, folder)
            print(f"the server: {len(document['paths'])} paths, {count} requests, 0 failures")
            names = [machine["name"] for machine in fetch(address, "/v1/machines")["machines"]]
            if [tag["name"] for tag in document["tags"]] != names:
                sys.exit(f"expected the documents of {names}, got {document['tags']}")
            examples = {}
            for tag in document["tags"]:
                document = fetch(address, tag["externalDocs"]["url"])
                check_document(document)
                lenient = run_schemathesis(schemathesis, address, document, LENIENT, 3, folder)
                count = run_schemathesis(schemathesis, address, strict(document), "", 5, folder)
                print(f"{tag['name']}: {lenient} and {count} requests, 0 failures")
                examples[tag["name"]] = input_examples(document)
            check_types(consumer, address, examples)
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


main(*map(os.path.abspath, sys.argv[1:]))
