import { call, machines } from "/inspector/client.js";
import { fill, h, notify, say, skeleton, state } from "/inspector/dom.js";
import { ago, plural, short } from "/inspector/text.js";

/** The time between two requests for the list, in milliseconds. */
const interval = 2000;
const pageSize = 100;

/** The length of the id that clients hold. */
const clientID = /^[\w-]{22}$/;

/**
 * The list of sessions.
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 * @returns {() => void} a closure that ends it
 */
export function browse(main, query) {
  let pages = 1;
  let isShown = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let round = 0;
  const search = /** @type {HTMLInputElement} */ (h("input.search", {
    type: "search", placeholder: "Id, name in the log, or a client's session id", "aria-label": "Find a session",
    value: query.get("id") ?? query.get("log") ?? "", autocomplete: "off", spellcheck: "false",
  }));
  const machine = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Machine" }, h("option", { value: "" }, "All machines")));
  const situation = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "State" },
    [["", "All states"], ["live", "Live"], ["dormant", "Dormant"], ["quarantined", "Quarantined"], ["ended", "Ended"]]
      .map(([value, name]) => h("option", { value, selected: value === (query.get("state") ?? "") }, name))));
  const age = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Age" },
    [["", "Any age"], ["3600", "Created in the last hour"], ["86400", "Created in the last day"]]
      .map(([value, name]) => h("option", { value, selected: value === (query.get("youngerThan") ?? "") }, name))));
  const principal = query.get("principal");
  const count = h("p.quiet.count-line", { role: "status" });
  const body = h("div.rows", skeleton(8));
  const more = h("button.more", { type: "button", hidden: true, onclick: () => { pages += 1; load(); } }, "Show more");
  fill(main,
    h("div.head", h("h1", "Sessions"), count),
    h("form.filters", { role: "search", onsubmit: (event) => { event.preventDefault(); apply(); } }, search, machine, situation, age,
      principal && h("a.chip", { href: "#/sessions", "aria-label": "Remove the filter" }, `Principal ${principal} ×`)),
    body, more);
  for (const control of [machine, situation, age]) control.addEventListener("change", apply);
  search.addEventListener("input", () => { if (!search.value) apply(); });
  machines().then((all) => {
    machine.append(...all.map(({ name }) => h("option", { value: name, selected: name === query.get("machine") }, name)));
  }).catch(() => {});
  load();
  return () => {
    isShown = false;
    clearTimeout(timer);
  };

  /** Shows what the controls say, under an address of its own. */
  async function apply() {
    const text = search.value.trim();
    if (clientID.test(text)) {
      // The id is a credential, so it is part of no address.
      try {
        location.hash = `#/sessions/${(await call("/lookup", { method: "POST", body: { id: text } })).id}`;
      } catch (error) {
        notify(error.message, { isError: true });
      }
      return;
    }
    const filters = new URLSearchParams();
    // Names in the log have eight digits. Beginnings of ids have any other number.
    if (text) filters.set(/^[0-9a-f]{8}$/i.test(text) ? "log" : "id", text.toLowerCase());
    if (machine.value) filters.set("machine", machine.value);
    if (situation.value) filters.set("state", situation.value);
    if (age.value) filters.set("youngerThan", age.value);
    if (principal) filters.set("principal", principal);
    location.hash = `#/sessions${filters.size ? `?${filters}` : ""}`;
  }

  async function load() {
    clearTimeout(timer);
    const current = (round += 1);
    try {
      const found = await collect();
      if (!isShown || current !== round) return;
      draw(found.sessions, found.next);
    } catch (error) {
      if (!isShown || current !== round) return;
      if (error.status === 404 && query.get("log")) draw([], null);
      else if (error.status !== 0 || body.querySelector(".skeleton")) fill(body, state("The list is not available", error.message, h("button", { type: "button", onclick: load }, "Try again")));
    }
    timer = setTimeout(load, document.hidden ? 5 * interval : interval);
  }

  async function collect() {
    const sessions = [];
    let after;
    for (let page = 0; page < pages; page += 1) {
      const found = await call("/sessions", { query: { ...Object.fromEntries(query), limit: pageSize, after } });
      sessions.push(...found.sessions);
      after = found.next;
      if (after === null) break;
    }
    // A name in the log is that of one session, which the list begins with.
    if (query.get("log")) return { sessions: sessions.filter(({ log }) => log === query.get("log")), next: null };
    return { sessions, next: after };
  }

  /** @param {any[]} sessions @param {string | null} next */
  function draw(sessions, next) {
    more.hidden = next === null;
    say(count, sessions.length ? `${next === null ? "" : "the first "}${plural(sessions.length, "session")}` : "");
    if (sessions.length === 0 && next === null) return fill(body, query.size ? noMatch() : none());
    const known = new Map([...body.querySelectorAll("a.row")].map((row) => [/** @type {HTMLElement} */ (row).dataset.id, row]));
    const rows = sessions.map((session) => {
      const row = known.get(session.id) ?? h("a.row", { href: `#/sessions/${session.id}`, "data-id": session.id });
      const signature = JSON.stringify([session, ago(session.used)]);
      // Rows that have not changed keep their focus and are not announced.
      if (row.dataset.signature !== signature) {
        row.dataset.signature = signature;
        fill(row, cells(session));
      }
      return row;
    });
    const isSame = body.firstElementChild?.className === "row row-head" && body.children.length === rows.length + 1
      && rows.every((row, index) => body.children[index + 1] === row);
    if (!isSame) fill(body, header(), rows);
  }
}

function header() {
  return h("div.row.row-head", { "aria-hidden": "true" }, ["Session", "Machine", "State", "Version", "Streams", "Used", "Created"].map((name) => h("span", name)));
}

/** @param {any} session */
function cells(session) {
  return [
    h("span.cell-id", h("code", short(session.id)), session.log && h("span.quiet.small", { title: "Name in the log" }, ` ${session.log}`)),
    h("span.cell-machine", session.machine),
    h("span", badge(session)),
    h("span.cell-number", h("span.cell-label", "version "), String(session.version)),
    h("span.cell-number", h("span.cell-label", "streams "), String(session.streams)),
    h("span", { title: session.used }, h("span.cell-label", "used "), ago(session.used)),
    h("span.cell-created", { title: session.created }, h("span.cell-label", "created "), ago(session.created)),
  ];
}

/** @param {{state: string, isReadable?: boolean}} session */
export function badge(session) {
  if (session.isReadable === false) return h("span.badge", { "data-state": "quarantined" }, "Unreadable");
  return h("span.badge", { "data-state": session.state }, session.state[0].toUpperCase() + session.state.slice(1));
}

function none() {
  return state("No sessions yet", "A session appears here as soon as a client creates one.");
}

function noMatch() {
  return state("No session matches", "Names and states have to be exact; an id may be the beginning of one.", h("a.button", { href: "#/sessions" }, "Clear the filters"));
}
