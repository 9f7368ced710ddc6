import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { patient, random, until } from "./support/environment.js";
import { Proxy } from "./support/proxy.js";
import { open } from "../src/granary.js";

/** The path of the server; without it, these tests do not run. */
const binary = process.env.GRANARY;
const skip = !binary && "GRANARY is not the path of a server";

/** The number of random schedules. */
const schedules = Number(process.env.SCHEDULES ?? (process.env.THOROUGH ? 100 : 10));

/** A server with its state, which keeps its port when it is started again. */
class RealServer {
  async prepare() {
    this.state = mkdtempSync(join(tmpdir(), "granary-client-"));
    const probe = createServer();
    await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
    this.port = probe.address().port;
    await new Promise((resolve) => probe.close(resolve));
    this.url = `http://127.0.0.1:${this.port}`;
  }

  async start() {
    const options = ["--http.port", String(this.port), "--sessions.stateDirectory", this.state];
    this.process = spawn(binary, ["serve", ...options], { stdio: "ignore" });
    for (;;) {
      const response = await fetch(`${this.url}/health/ready`).catch(() => null);
      if (response?.ok) return;
      assert.equal(this.process.exitCode, null, "the server runs");
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  async stop(signal) {
    const { process } = this;
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.kill(signal);
    await ended;
  }
}

const server = new RealServer();
before(async () => {
  if (skip) return;
  await server.prepare();
  await server.start();
});
after(async () => {
  if (skip) return;
  await server.stop("SIGKILL");
  rmSync(server.state, { recursive: true, force: true });
});

const live = (counter) => until(() => counter.status.status === "live", "live");

/** Checks that the client has what the server has. */
async function compare(counter) {
  const session = await (await fetch(`${server.url}/v1/sessions/${counter.id}`)).json();
  await until(() => counter.version === session.version, "the client catches up");
  assert.deepEqual(counter.outputs, session.outputs);
  return session.outputs;
}

test("a machine is created, followed, driven and deleted", { skip }, async () => {
  const counter = open("counter", { server: server.url, timeout: patient });
  await counter.send("isOn", true);
  assert.equal((await counter.send("increment")).count, 1);
  await assert.rejects(counter.send("isOn", "maybe"), { code: "refused", status: 422 });
  await live(counter);
  assert.equal((await compare(counter)).count, 1);
  const other = open("counter", { server: server.url, session: counter.id, timeout: patient });
  await live(other);
  await other.send("increment");
  await until(() => counter.outputs.count === 2, "the change of the other one");
  const ended = new Promise((resolve) => other.on("end", resolve));
  await counter.end();
  assert.equal((await ended).reason, "deleted");
});

test("a client continues after the server was killed and after it was replaced, and repeats no input", { skip }, async () => {
  const counter = open("counter", { server: server.url, timeout: patient });
  await counter.send("isOn", true);
  await live(counter);
  const { id } = counter;
  for (const signal of ["SIGKILL", "SIGTERM"]) {
    const sent = Array.from({ length: 5 }, () => counter.send("increment"));
    await server.stop(signal);
    sent.push(counter.send("increment"));
    await server.start();
    await Promise.all(sent);
    await live(counter);
  }
  assert.equal(counter.id, id);
  assert.equal((await compare(counter)).count, 12);
  counter.close();
});

test("random schedules of damaged connections lose and repeat nothing", { skip }, async () => {
  const first = Number(process.env.SEED ?? 1);
  for (let seed = first; seed < first + schedules; seed += 1) {
    const chance = random(seed);
    const byte = () => Math.floor(200 * chance());
    const damages = [() => ({}), () => ({ cutRequest: byte() }), () => ({ cutResponse: 3 * byte() }), () => ({ duplicate: true }),
      () => ({ status: 503 }), () => ({ length: byte() - 100 })];
    const plan = (number) => number < 12 ? damages[Math.floor(damages.length * chance())]() : {};
    const proxy = await new Proxy(server.port, plan).start();
    // A response that is shorter than it says is given up after this time.
    const counter = open("counter", { server: proxy.url, timeout: 60_000 });
    const sent = [counter.send("isOn", true)];
    for (let count = 0; count < 5; count += 1) {
      sent.push(counter.send("increment"));
      if (chance() < 0.3) proxy.cut();
    }
    await Promise.all(sent);
    await live(counter);
    assert.equal((await compare(counter)).count, 5, `seed ${seed}`);
    counter.close();
    await proxy.stop();
  }
});
