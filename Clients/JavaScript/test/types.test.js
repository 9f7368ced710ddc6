import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./support/environment.js";
import * as granary from "../src/granary.js";

const text = readFileSync(new URL("../src/granary.d.ts", import.meta.url), "utf8");

/** Returns the names of the members of a class in the declarations. */
function members(name) {
  const body = text.split(`export class ${name}`)[1].split("\n}")[0];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[<(:?]/gm)].map(([, member]) => member).filter((member) => member !== "constructor");
}

test("every declared member exists, and every member is declared", () => {
  const machine = granary.open("counter", { server: "http://127.0.0.1:9" });
  machine.close();
  const declared = new Set(members("Machine"));
  for (const member of declared) assert.ok(member in machine, member);
  const own = Object.getOwnPropertyNames(granary.Machine.prototype).filter((name) => name !== "constructor");
  assert.deepEqual(own.filter((name) => !declared.has(name)), ["doubt"]);
  const error = new granary.GranaryError("full", "");
  for (const member of members("GranaryError")) assert.ok(member in error, member);
});

test("the functions of the module are declared", () => {
  for (const name of Object.keys(granary)) assert.match(text, new RegExp(`export (class|function) ${name}\\b`));
});
