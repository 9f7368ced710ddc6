import { Requests, refusal } from "./client/request.js";
import { whenLate } from "./client/situation.js";
import { Console } from "./console.js";
import { element, h, say } from "./element.js";
import { format, invited, parse } from "./link.js";
import { typeName } from "./schema.js";

/**
 * @typedef {{name: string, schema: import("./schema.js").Schema, kind?: "value" | "event"}} Port
 * @typedef {{name: string, summary: string, inputs: Port[], outputs: Port[], parameters?: import("./schema.js").Schema}} Machine
 * @typedef {{node: HTMLElement, machine: Machine, console: Console | null, close: HTMLButtonElement}} Card
 */

/** The number of machines from which on there is a search. */
const many = 6;

/** Where the list is too long for what is around it. */
const phone = matchMedia("(max-width: 40rem)");

/**
 * Shows the machines that the server hosts, and retries until the server responds. Then shows what the address says.
 * @param {HTMLElement} section
 * @returns {Promise<Machine[]>}
 */
export async function listMachines(section) {
  const status = section.querySelector("[data-status]");
  const requests = new Requests({ server: "", timeout: 30_000 });
  for (let attempts = 0; ; attempts += 1) {
    try {
      const reply = await whenLate(requests.send("/v1/machines"), { begin: () => say(status, "Waiting for the server…") });
      if (reply.status !== 200) throw refusal(reply);
      const { machines } = reply.body;
      say(status, machines.length ? "" : "The server has no machines.");
      new MachineList(section, machines);
      return machines;
    } catch (error) {
      const seconds = Math.min(15, 2 ** attempts);
      say(status, `The list of machines could not be loaded: ${error.message} Retrying in ${seconds} s.`);
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    }
  }
}

/** The cards of the machines, whose consoles and search are in the address. */
class MachineList {
  /** In the order in which their consoles were opened. @type {Set<Card>} */
  #open = new Set();
  #search = /** @type {HTMLInputElement} */ (h("input", { type: "search", "aria-label": "Find a machine", placeholder: "Find a machine", autocomplete: "off", spellcheck: "false" }));

  /** @param {HTMLElement} section @param {Machine[]} machines */
  constructor(section, machines) {
    this.status = /** @type {HTMLElement} */ (section.querySelector("[data-status]"));
    this.cards = machines.map((machine) => this.#card(machine));
    const list = /** @type {HTMLElement} */ (section.querySelector("[data-machines]"));
    list.replaceChildren(...this.cards.map(({ node }) => node));
    if (machines.length > many) this.status.before(this.#search);
    this.#search.addEventListener("input", () => this.#filter());
    this.#search.addEventListener("change", () => this.#write("replaceState"));
    phone.addEventListener("change", () => this.#fold());
    this.#fold();
    addEventListener("hashchange", () => this.#read());
    this.#read();
    this.#accept();
  }

  /** Opens consoles for invitations that no script of the program has accepted. */
  async #accept() {
    if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    // After those that wait for the machines.
    await new Promise((resolve) => setTimeout(resolve));
    for (const name of invited()) this.#show(name);
    this.#write("replaceState");
  }

  /** @param {Machine} machine @returns {Card} */
  #card(machine) {
    const { name, summary, inputs, outputs } = machine;
    const button = element("button", "wide", "Open");
    button.type = "button";
    const node = h("details.machine", { "data-machine": name, open: true }, h("summary", h("h3", name)), h("p", summary), button, ports("Inputs", inputs), ports("Outputs", outputs));
    const card = { node, machine, console: null, close: button };
    label(card);
    button.addEventListener("click", () => {
      if (card.console) return this.#close(card);
      this.#openConsole(card);
      card.console?.node.focus({ preventScroll: true });
      node.scrollIntoView({ block: "nearest" });
      this.#write("pushState");
    });
    return card;
  }

  /** @param {Card} card @param {string} [session] */
  #openConsole(card, session) {
    card.console = new Console(card.machine, session, { close: () => this.#close(card), sent: () => this.#write("replaceState") });
    card.node.append(card.console.node);
    this.#open.add(card);
    label(card);
  }

  /** Closes a console as its user wants, or only stops showing it. @param {Card} card @param {boolean} [isLeft] */
  #close(card, isLeft = false) {
    if (isLeft) card.console?.leave();
    else card.console?.end();
    card.console = null;
    this.#open.delete(card);
    label(card);
    if (isLeft) return;
    card.close.focus();
    this.#write("pushState");
  }

  /**
   * Shows a console. Returns whether the machine exists.
   * @param {string} name @param {import("./link.js").Place} [place]
   */
  #show(name, { session, input, value } = { machine: name }) {
    const card = this.cards.find(({ machine }) => machine.name === name);
    if (!card) return false;
    if (session !== undefined && card.console && card.console.session !== session) this.#close(card, true);
    if (!card.console) this.#openConsole(card, session);
    if (input !== undefined) card.console?.show({ input, value });
    return true;
  }

  /** Shows what the address says. */
  #read() {
    const address = parse(location.hash);
    // An anchor, such as that of the skip link.
    if (address === null) return this.#write("replaceState");
    // The page is loaded again for an invitation.
    if (address.places.some(({ ticket }) => ticket)) return;
    if (this.#search.isConnected) this.#search.value = address.find;
    for (const card of [...this.#open]) if (!address.places.some(({ machine }) => machine === card.machine.name)) this.#close(card, true);
    const missing = address.places.filter((place) => !this.#show(place.machine, place));
    this.#filter();
    if (missing.length > 0) say(this.status, `The server has no machine that is named ${missing.map(({ machine }) => machine).join(", ")}, or you may not use it.`);
    else if (address.places.length > 0) this.cards.find(({ machine }) => machine.name === address.places[0].machine)?.node.scrollIntoView({ block: "nearest" });
    this.#write("replaceState");
  }

  /** Writes what is shown into the address. @param {"pushState" | "replaceState"} how */
  #write(how) {
    const places = [...this.#open].map(({ machine, console }) => ({ machine: machine.name, session: console?.session, ...console?.linked }));
    // The fragment of a program that shows none of this is its own.
    if (places.length === 0 && !this.#search.value && parse(location.hash) === null) return;
    const address = format({ find: this.#search.value.trim(), places });
    if (address !== location.pathname + location.search + location.hash) history[how](history.state, "", address);
  }

  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, machine: { name, summary, inputs, outputs }, console } of this.cards) {
      const text = [name, summary, ...inputs.map((port) => port.name), ...outputs.map((port) => port.name)].join(" ").toLowerCase();
      const isShown = words.every((word) => text.includes(word));
      // What is open stays.
      node.hidden = !isShown && console === null;
      count += Number(isShown);
    }
    say(this.status, words.length === 0 ? "" : count === 0 ? "No machine matches." : `${count} of ${this.cards.length} machines`);
  }

  /** On a phone, the list shows names, which unfold. */
  #fold() {
    for (const { node, console } of this.cards) node.toggleAttribute("open", !phone.matches || console !== null);
  }
}

/** Shows whether the console of a card is open. @param {Card} card */
function label({ node, machine, console, close }) {
  const word = console ? "Close" : "Open";
  close.textContent = word;
  close.setAttribute("aria-label", `${word} ${machine.name}`);
  close.setAttribute("aria-expanded", String(console !== null));
  node.classList.toggle("is-open", console !== null);
  if (console) node.setAttribute("open", "");
}

/**
 * @param {string} title
 * @param {Port[]} values
 */
function ports(title, values) {
  return h("div.ports", h("h4", title), values.length === 0 && h("p.type", "None."),
    h("ul", values.map(({ name, kind, schema }) => h("li", h("code", name), h("span.type", `${kind === "event" ? "event, " : ""}${typeName(schema)}`)))));
}
