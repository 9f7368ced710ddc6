import http from "node:http";

/**
 * A server with the HTTP interface of Granary (Docs/http.md) and one machine, a counter with the inputs `increment`, `add`,
 * `ring` and `refuse`, the outputs `count` and `label`, and the event `bell`. It counts how often each key has run.
 */
export class FakeServer {
  /** The number of changes that a session remembers. */
  history = 20;
  sessions = new Map();
  /** How often the input of each key has run. */
  runs = new Map();
  /** Requests that were received: `{method, path, headers}`. */
  requests = [];
  /** The open streams. */
  streams = new Set();
  /** Called with each request; returns `{status, headers, body}` to respond with that, or nothing. */
  intercept = () => undefined;
  /** The tickets: `{session, uses}`. A ticket of a guest is renewed for `lifetime` milliseconds. */
  tickets = new Map();
  lifetime = 3_600_000;
  /** Who a request is from; null for nobody, who gets 401. */
  authenticate = () => "anybody";
  #count = 0;

  async start() {
    this.server = http.createServer((request, response) => this.#respond(request, response));
    this.server.keepAliveTimeout = 100;
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  make(owner = "anybody", name = null) {
    this.#count += 1;
    const id = `session${String(this.#count).padStart(15, "0")}`;
    const session = {
      id, owner, name, machine: "counter", epoch: `e${this.#count}`, version: 0, outputs: { count: 0, label: "none" }, changes: [],
      keys: new Map(), end: null,
    };
    this.sessions.set(id, session);
    return session;
  }

  /** Ends a session for a reason. */
  end(id, reason) {
    this.sessions.get(id).end = reason;
    for (const stream of this.streams) {
      if (stream.sessions.includes(id)) stream.write(`event: end\ndata: ${JSON.stringify({ session: id, data: { reason } })}\n\n`);
    }
  }

  /** Makes a turn that changes outputs and emits events. */
  turn(session, changes, emitted = []) {
    session.version += 1;
    Object.assign(session.outputs, changes);
    const data = emitted.length > 0 ? { ...changes, $emitted: emitted } : changes;
    session.changes.push({ version: session.version, data });
    if (session.changes.length > this.history) session.changes.shift();
    for (const stream of this.streams) {
      if (stream.sessions.includes(session.id)) stream.event("change", session, session.version, data);
    }
    return { version: session.version, changes: data };
  }

  #respond(request, response) {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("end", () => {
      const [path, query = ""] = request.url.split("?");
      const { method, headers } = request;
      this.requests.push({ method, path, query, headers });
      const own = this.intercept({ method, path, query, headers });
      if (own) return send(response, own.status, own.body ?? {}, own.headers);
      const guest = this.tickets.get(/^Ticket (.+)/.exec(headers.authorization)?.[1]);
      const owner = guest?.session.owner ?? (headers.authorization?.startsWith("Ticket ") ? null : this.authenticate(headers.authorization));
      if (owner === null) return problem(response, 401, "invalid-credentials");
      if (path === "/v1/outputs") return this.#stream(new URLSearchParams(query), owner, headers, response);
      const body = Buffer.concat(chunks).toString();
      if (path === "/v1/sessions") return this.#create(JSON.parse(body), owner, headers["idempotency-key"], response);
      const [, , , id, what, name] = path.split("/");
      const session = this.sessions.get(id);
      const isForbidden = guest !== undefined && guest.session !== session;
      if (session === undefined || session.owner !== owner || isForbidden) return problem(response, 404, "not-found");
      if (session.end !== null) return problem(response, 410, "session-ended", { reason: session.end });
      if (method === "DELETE") {
        this.end(id, "deleted");
        return response.writeHead(204).end();
      }
      if (what === "tickets") return this.#ticket(session, guest, body, headers["idempotency-key"], response);
      if (what === "inputs") return this.#input(session, name, body, headers["idempotency-key"], response);
      send(response, 200, view(session));
    });
  }

  #create({ machine, name = null }, owner, key, response) {
    if (machine !== "counter") return problem(response, 404, "not-found");
    const named = [...this.sessions.values()].find((session) =>
      session.end === null && session.owner === owner && (name === null ? session.key === key : session.name === name));
    const session = named ?? this.make(owner, name);
    session.key = key;
    send(response, named ? 200 : 201, view(session));
  }

  /** Issues a ticket to the owner, or another one to a guest. */
  #ticket(session, guest, body, key, response) {
    const known = guest?.redeemed.get(key);
    if (known) return send(response, 201, known, { "Idempotency-Replayed": "true" });
    if (guest?.uses === 0) return problem(response, 401, "invalid-credentials", { reason: "used-ticket" });
    if (guest) guest.uses -= 1;
    const text = `ticket${this.tickets.size + 1}`;
    const uses = guest ? Infinity : JSON.parse(body).uses;
    this.tickets.set(text, { session, uses, redeemed: new Map() });
    const expires = new Date(Math.ceil(Date.now() / 1000) * 1000 + this.lifetime).toISOString();
    const reply = { ticket: text, allows: ["read", "write"], expires };
    if (guest && guest.uses < Infinity && key) guest.redeemed.set(key, reply);
    send(response, 201, reply);
  }

  #input(session, name, body, key, response) {
    if (session.keys.has(key)) {
      const first = session.keys.get(key);
      if (first.request !== name + body) return problem(response, 422, "idempotency-mismatch");
      return send(response, 200, first.reply, { "Idempotency-Replayed": "true" });
    }
    const value = body === "" ? null : JSON.parse(body);
    const inputs = {
      increment: () => this.turn(session, { count: session.outputs.count + 1 }),
      add: () => this.turn(session, { count: session.outputs.count + value }),
      ring: () => this.turn(session, {}, [{ output: "bell", value }]),
      nothing: () => ({ version: session.version, changes: {} }),
    };
    if (name === "refuse") return problem(response, 422, "invalid-value");
    if (!(name in inputs)) return problem(response, 404, "not-found");
    this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
    const reply = inputs[name]();
    session.keys.set(key, { request: name + body, reply });
    send(response, 200, reply);
  }

  #stream(query, owner, headers, response) {
    const sessions = query.getAll("session");
    const positions = (headers["last-event-id"] ?? query.get("lastEventID") ?? "").split("~");
    const known = sessions.map((id) => this.sessions.get(id)).filter((session) => session?.owner === owner);
    if (known.length === sessions.length && known.every((session) => session.end !== null)) return response.writeHead(204).end();
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    const write = (text) => response.write(text);
    const ids = new Map();
    const stream = {
      sessions, response, write, headers,
      event(name, session, version, data) {
        const id = `${session.epoch}.${version}`;
        ids.set(session.id, id);
        const joined = sessions.map((each) => ids.get(each) ?? "").join("~");
        write(`event: ${name}\nid: ${joined}\ndata: ${JSON.stringify({ session: session.id, id, data })}\n\n`);
      },
    };
    write("retry: 100\n\n");
    for (const id of sessions) {
      const session = this.sessions.get(id);
      if (session === undefined || session.owner !== owner) {
        write(`event: end\ndata: ${JSON.stringify({ session: id, data: { reason: "unknown" } })}\n\n`);
        continue;
      }
      if (session.end !== null) {
        write(`event: end\ndata: ${JSON.stringify({ session: id, data: { reason: session.end } })}\n\n`);
        continue;
      }
      const position = positions.find((each) => each.split(".")[0] === session.epoch);
      const from = position === undefined ? -1 : Number(position.split(".")[1]);
      const missed = session.changes.filter(({ version }) => version > from);
      if (from >= 0 && from <= session.version && missed.length === session.version - from) {
        stream.event("resume", session, from, { from, missed: missed.length });
        for (const { version, data } of missed) stream.event("change", session, version, data);
      } else {
        stream.event("snapshot", session, session.version, session.outputs);
      }
    }
    this.streams.add(stream);
    response.on("close", () => this.streams.delete(stream));
  }
}

function view({ id, machine, name, version, outputs }) {
  return { id, machine, name: name ?? undefined, version, durability: "memory", outputs };
}

function problem(response, status, kind, more = {}) {
  send(response, status, { type: `/problems/${kind}`, title: kind, status, detail: `The server says: ${kind}.`, ...more });
}

function send(response, status, body, headers = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": status < 400 ? "application/json" : "application/problem+json", "Content-Length": Buffer.byteLength(text),
    ...headers,
  }).end(text);
}
