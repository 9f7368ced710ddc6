import net from "node:net";

/**
 * A relay in front of a server that damages connections. `plan` is called for each connection, and returns what happens to it:
 * - `refuse`: the connection is closed immediately
 * - `cutRequest`, `cutResponse`: the connection is closed after that number of bytes in that direction
 * - `delay`: the response waits for that number of milliseconds
 * - `duplicate`: the request also arrives on another connection, whose response nobody gets
 * - `status`: the response is that status, with `fields`, and the server gets no request
 * - `length`: the number that is added to Content-Length of the response
 */
export class Proxy {
  #sockets = new Set();
  connections = 0;

  /**
   * @param {number} port the server's
   * @param {(number: number) => object} [plan]
   */
  constructor(port, plan = () => ({})) {
    this.upstream = port;
    this.plan = plan;
  }

  async start() {
    this.server = net.createServer((client) => this.#accept(client));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  async stop() {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Closes all connections. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #add(socket) {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    return socket;
  }

  #accept(client) {
    this.#add(client);
    const plan = this.plan(this.connections++) ?? {};
    if (plan.refuse) return client.destroy();
    if (plan.status) return this.#refuse(client, plan);
    const server = this.#add(net.connect(this.upstream, "127.0.0.1"));
    const twin = plan.duplicate ? this.#add(net.connect(this.upstream, "127.0.0.1")) : null;
    twin?.on("data", () => {});
    let [sent, received, head] = [0, 0, plan.length ? "" : null];
    const relay = (target, data, from, limit) => {
      const rest = limit === undefined ? data.length : limit - from;
      if (rest >= data.length) return target.write(data);
      target.write(data.subarray(0, Math.max(rest, 0)), () => {
        client.destroy();
        server.destroy();
      });
    };
    client.on("data", (data) => {
      twin?.write(data);
      relay(server, data, sent, plan.cutRequest);
      sent += data.length;
    });
    server.on("data", async (data) => {
      server.pause();
      if (plan.delay) await new Promise((resolve) => setImmediate(() => setTimeout(resolve, plan.delay)));
      if (head !== null) {
        head = null;
        data = Buffer.from(data.toString("latin1").replace(
          /content-length: (\d+)/i, (_, length) => `Content-Length: ${Math.max(0, Number(length) + plan.length)}`), "latin1");
      }
      relay(client, data, received, plan.cutResponse);
      received += data.length;
      server.resume();
    });
    client.on("close", () => {
      server.destroy();
      // What the twin sends has an effect even if nobody waits for it.
      twin?.end();
    });
    server.on("close", () => client.destroy());
  }

  #refuse(client, { status, fields = {} }) {
    client.once("data", () => {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join("");
      client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n${lines}\r\n`);
    });
  }
}
