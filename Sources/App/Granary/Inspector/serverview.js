import { call, machines } from "/inspector/client.js";
import { confirm } from "/inspector/dialog.js";
import { fill, h, notify, skeleton, state } from "/inspector/dom.js";
import { plural } from "/inspector/text.js";

const levels = ["debug", "info", "warning", "error"];

/**
 * The server: machines, loops, the log and the configuration.
 * @param {HTMLElement} main
 */
export function showServer(main) {
  let isShown = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const loops = h("section.panel", h("h2", "Event loops"), skeleton(2));
  const log = h("section.panel", h("h2", "Log"), skeleton(2));
  const hosted = h("section.panel", h("h2", "Machines"), skeleton(3));
  const configuration = h("section.panel.configuration", h("h2", "Configuration"), skeleton(6));
  fill(main, h("div.head", h("h1", "Server"), h("button.danger", { type: "button", onclick: drain }, "Drain")),
    h("div.server", h("div", loops, log), h("div", hosted)), configuration);
  part(hosted, "Machines", async () => drawMachines(await machines()));
  part(log, "Log", async () => drawLog(await call("/log")));
  part(configuration, "Configuration", async () => drawConfiguration((await call("/configuration")).configuration));
  watch();
  return () => {
    isShown = false;
    clearTimeout(timer);
  };

  /** @param {HTMLElement} node @param {string} title @param {() => Promise<import("/inspector/element.js").Child>} load */
  async function part(node, title, load) {
    let content;
    try {
      content = await load();
    } catch (error) {
      content = state("Not available", error.message);
    }
    if (isShown) fill(node, h("h2", title), content);
  }

  async function watch() {
    await part(loops, "Event loops", async () => drawLoops((await call("/loops")).loops));
    if (isShown) timer = setTimeout(watch, document.hidden ? 15_000 : 3000);
  }

  /** @param {any} found */
  function drawLog({ level, modules }) {
    const select = (name, value, module) => {
      const control = h("select", {
        id: `level-${name}`,
        onchange: (event) => set(module ? { modules: { [module]: event.target.value } } : { level: event.target.value }),
      }, levels.map((other) => h("option", { selected: other === value }, other)));
      return h("div.level", h("label", { for: `level-${name}` }, name), control);
    };
    return [h("p.quiet", "Changes last until the server ends."), select("all", level),
      Object.entries(modules).map(([name, value]) => select(name, value, name))];
  }

  /** @param {object} body */
  async function set(body) {
    try {
      const found = await call("/log", { method: "PUT", body });
      notify("The log has another level.");
      if (isShown) fill(log, h("h2", "Log"), drawLog(found));
    } catch (error) {
      notify(error.message, { isError: true });
    }
  }

  async function drain() {
    if (!await confirm("Drain the server?", "It accepts no more connections, ends the streams, answers the requests in flight, and exits, as with SIGTERM.", "Drain")) return;
    try {
      await call("/drain", { method: "POST" });
      notify("The server is draining.");
    } catch (error) {
      notify(error.message, { isError: true });
    }
  }
}

/** @param {any[]} loops */
function drawLoops(loops) {
  return h("table", h("thead", h("tr", ["Loop", "Sessions", "Streams", "Busy"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", loops.map((loop) => h("tr", h("th", { scope: "row" }, String(loop.index)), loop.isResponsive
      ? [h("td", loop.sessions.toLocaleString("en")), h("td", loop.streams.toLocaleString("en")), h("td", loop.busyMilliseconds === undefined ? "–" : `${(loop.busyMilliseconds / 1000).toFixed(1)} s`)]
      : h("td.is-error", { colspan: "3" }, "does not respond")))));
}

/** @param {import("/inspector/client.js").Machine[]} machines */
function drawMachines(machines) {
  if (machines.length === 0) return state("No machines", "The program hosts none.");
  return h("ul.machine-list", machines.map((machine) => h("li",
    h("a", { href: `#/sessions?machine=${machine.name}` }, machine.name), h("p.quiet", machine.summary),
    h("p.small", [plural(machine.inputs.length, "input"), plural(machine.outputs.length, "output"), `durability ${machine.durability}`, machine.hibernates && "hibernates",
      machine.concealed.length > 0 && `never shows ${machine.concealed.join(", ")}`].filter(Boolean).join(" · ")),
    machine.obstacle && h("p.small.is-warning", `Not stored: ${machine.obstacle}`))));
}

/** @param {{name: string, value: string, isDefault: boolean}[]} values */
function drawConfiguration(values) {
  const search = /** @type {HTMLInputElement} */ (h("input", { type: "search", placeholder: "Find a key", "aria-label": "Find a key" }));
  const changed = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const rows = h("tbody");
  const draw = () => {
    const text = search.value.trim().toLowerCase();
    const shown = values.filter(({ name, isDefault }) => name.toLowerCase().includes(text) && (!changed.checked || !isDefault));
    fill(rows, shown.map(({ name, value, isDefault }) => h(`tr${isDefault ? "" : ".is-changed"}`, h("th", { scope: "row" }, h("code", name)), h("td", h("code", value === "" ? "–" : value)))),
      shown.length === 0 && h("tr", h("td.quiet", { colspan: "2" }, "No key matches.")));
  };
  for (const control of [search, changed]) control.addEventListener("input", draw);
  draw();
  return [h("div.filters", search, h("label.check", changed, " Only what differs from the defaults")), h("table.keys", h("thead", h("tr", h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Value"))), rows)];
}
