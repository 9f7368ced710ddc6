import { act, copyAsCurl, end, exportSession, fork, replay, sendInput } from "/inspector/actions.js";
import { badge } from "/inspector/browse.js";
import { call } from "/inspector/client.js";
import { fill, h, notify, say, skeleton, state } from "/inspector/dom.js";
import { Moment } from "/inspector/moment.js";
import { ago, bytes, plural, short } from "/inspector/text.js";
import { Timeline } from "/inspector/timeline.js";

/** The time between two requests for the session, in milliseconds, and between two steps while it plays. */
const interval = 1500;
const pace = 700;

/**
 * One session: its timeline, and its values at the selected turn.
 * @param {HTMLElement} main
 * @param {string} id
 * @param {URLSearchParams} query
 * @returns {() => void} a closure that ends it
 */
export function inspect(main, id, query) {
  let isShown = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let naming;
  /** @type {any} */
  let current;
  const moment = new Moment(id);
  const timeline = new Timeline(id, { selected, loaded, progress });
  const title = h("div.session-title");
  const facts = h("p.facts.quiet");
  const actions = h("div.actions.session-actions");
  const loading = /** @type {HTMLProgressElement} */ (h("progress", { max: 1, "aria-label": "Loading turns" }));
  const empty = h("div");
  const position = h("span.position", { role: "status" });
  const play = h("button.step.play", { type: "button", onclick: togglePlay, "aria-pressed": "false" }, "Play");
  const buttons = {
    first: stepButton("First", "Home", () => timeline.select(timeline.firstIndex)), back: stepButton("Back", "←", () => timeline.step(-1)),
    forward: stepButton("Forward", "→", () => timeline.step(1)), last: stepButton("Newest", "End", () => timeline.select(timeline.turns.length - 1)),
  };
  const forkButton = h("button.primary", { type: "button", onclick: () => fork(id, version()) }, "Fork from here");
  const transport = h("div.transport", { role: "toolbar", "aria-label": "Time travel" },
    buttons.first, buttons.back, play, buttons.forward, buttons.last, position,
    h("span.transport-end", h("button", { type: "button", onclick: () => copyAsCurl(id, timeline.selected, version()) }, "Copy as curl"),
      h("button", { type: "button", onclick: compare }, "Compare"), forkButton));
  const content = h("div.session-body", h("div.timeline-panel", loading, empty, timeline.node), h("div.moment-panel", moment.node));
  fill(main, h("nav.crumbs", { "aria-label": "Path" }, h("a", { href: "#/sessions" }, "Sessions"), " / ", h("code", short(id))),
    h("div.session-head", title, actions), facts, transport, content);
  fill(title, skeleton(1));
  document.addEventListener("keydown", key);
  begin();
  const leave = () => {
    isShown = false;
    clearTimeout(timer);
    clearTimeout(naming);
    clearInterval(playing);
    moment.stop();
    document.removeEventListener("keydown", key);
  };
  // Shows or hides the values of the same moment.
  leave.reveal = () => timeline.load(timeline.isFollowing ? undefined : version()).catch((error) => notify(error.message, { isError: true }));
  return leave;

  async function begin() {
    try {
      current = await call(`/sessions/${id}`);
      if (!isShown) return;
      draw();
      const asked = query.get("version");
      if (current.state !== "ended" && current.isReadable !== false) await timeline.load(asked === null ? undefined : Number(asked));
      else fill(content, current.state === "ended" ? state("The session has ended", "Only its end is stored, for clients that still ask for it.") : state("This build cannot read the session", "It was stored by another build, or with a key that this server does not have. It is kept unchanged."));
    } catch (error) {
      if (!isShown) return;
      const isMissing = error.status === 404 || error.status === 410;
      fill(main, state(isMissing ? "The session does not exist" : "The session is not available", error.message,
        h("div.actions", h("a.button", { href: "#/sessions" }, "All sessions"), !isMissing && h("button", { type: "button", onclick: () => location.reload() }, "Try again"))));
      return;
    }
    poll();
  }

  function poll() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        const former = current;
        current = await call(`/sessions/${id}`);
        if (!isShown) return;
        draw();
        const [last, before] = [current.lastTurns?.at(-1)?.number, former.lastTurns?.at(-1)?.number];
        if (current.turns?.beginsAt !== timeline.beginsAt) await timeline.load(timeline.isFollowing ? undefined : version());
        else if (last !== before || last !== timeline.lastNumber) await timeline.update();
      } catch (error) {
        if (!isShown) return;
        if (error.status === 404 || error.status === 410) {
          current = { ...current, state: "ended" };
          draw();
          return;
        }
      }
      if (isShown) poll();
    }, document.hidden ? 5 * interval : interval);
  }

  function refresh() {
    clearTimeout(timer);
    call(`/sessions/${id}`).then(async (found) => {
      current = found;
      if (!isShown) return;
      draw();
      await timeline.update();
      poll();
    }).catch(poll);
  }

  /** Has a reload and a copied address show the same version. */
  function address() {
    if (timeline.isFollowing) query.delete("version");
    else query.set("version", String(version()));
    history.replaceState(history.state, "", `#/sessions/${id}${query.size ? `?${query}` : ""}`);
  }

  /** The version of the selected moment. */
  function version() {
    return timeline.selected?.version ?? timeline.beginsAt;
  }

  function draw() {
    const origin = query.get("from");
    fill(title, h("h1", current.machine), badge(current), origin && h("a.chip", { href: `#/compare?left=${origin}&right=${id}` }, `Fork of ${short(origin)}: compare`));
    document.title = `${current.machine} ${short(id)} – Granary Inspector`;
    const awake = current.state === "live" && current.awake ? `awake because ${current.awake.text}` : "";
    say(facts, [`version ${current.version}`, plural(current.streams, "stream"), `used ${ago(current.used)}`, `created ${ago(current.created)}`,
      current.durability && `durability ${current.durability}`, current.principal && `principal ${current.principal}`,
      current.log && `${current.log} in the log`, current.retainedBytes !== undefined && `${bytes(current.retainedBytes)} in memory`, awake]
      .filter(Boolean).join(" · "));
    moment.update(current.receivers ?? []);
    const isLive = current.state === "live";
    const canRun = isLive || current.state === "dormant";
    const signature = JSON.stringify([current.state, current.hibernates, current.durability]);
    if (actions.dataset.signature === signature) return;
    actions.dataset.signature = signature;
    fill(actions,
      canRun && h("button.primary", { type: "button", onclick: () => sendInput(current, refresh) }, "Send input"),
      canRun && current.durability !== "memory" && h("button", { type: "button", onclick: () => exportSession(id) }, "Export"),
      canRun && current.durability !== "memory" && h("button", { type: "button", onclick: () => replay(id, (index) => timeline.select(timeline.earlier.length + index)) }, "Replay"),
      isLive && current.hibernates && h("button", { type: "button", onclick: () => act(`/sessions/${id}/hibernate`, "POST", "The machine was released.", refresh) }, "Hibernate"),
      current.state === "quarantined" && h("button.primary", { type: "button", onclick: () => act(`/sessions/${id}/release`, "POST", "The session can be restored again.", refresh) }, "Release"),
      current.state !== "ended" && h("button.danger", { type: "button", onclick: () => end(current, refresh) }, "End"));
  }

  /** @param {number} share */
  function progress(share) {
    loading.value = share;
    loading.hidden = share >= 1;
  }

  function loaded() {
    loading.hidden = true;
    const isEmpty = timeline.turns.length === 0;
    timeline.node.hidden = isEmpty;
    fill(empty, isEmpty && (timeline.isStored
      ? state("No turns to show", timeline.beginsAt > 0 ? `The session was stored as a whole at version ${timeline.beginsAt}, and nothing has happened since. sessions.turnsPerSnapshot decides how many turns are kept.` : "Nothing has happened in this session yet.")
      : state("Not recorded", "The sessions of this machine are not stored, so that only their recent changes are known.")));
  }

  /** @param {import("/inspector/timeline.js").Turn | null} turn */
  function selected(turn) {
    const [index, count] = [timeline.index, timeline.turns.length];
    say(position, count === 0 ? `version ${version()}` : `turn ${index + 1} of ${count} · version ${version()}`);
    buttons.first.disabled = buttons.back.disabled = index <= timeline.firstIndex;
    forkButton.hidden = !timeline.isStored || !timeline.isKept;
    buttons.forward.disabled = buttons.last.disabled = index >= count - 1;
    if (index >= count - 1) stop();
    // Not at each step: browsers limit how often an address changes.
    clearTimeout(naming);
    if (isShown) naming = setTimeout(address, interval / 5);
    moment.show(turn, timeline.isStored ? version() : current.version, timeline.isKept);
  }

  function compare() {
    const origin = query.get("from");
    location.hash = `#/compare?left=${id}&leftVersion=${Math.max(version(), timeline.beginsAt)}&right=${origin ?? id}`;
  }

  function togglePlay() {
    if (playing !== undefined) return stop();
    if (timeline.index >= timeline.turns.length - 1) timeline.select(timeline.firstIndex);
    playing = setInterval(() => timeline.step(1), pace);
    play.setAttribute("aria-pressed", "true");
    say(play, "Pause");
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    play.setAttribute("aria-pressed", "false");
    say(play, "Play");
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const isButton = target.closest("button, a") !== null;
    switch (event.key) {
      case "ArrowLeft": timeline.step(-1); break;
      case "ArrowRight": timeline.step(1); break;
      case "j": if (target !== timeline.node) timeline.step(1); break;
      case "k": if (target !== timeline.node) timeline.step(-1); break;
      case " ": if (isButton) return; togglePlay(); break;
      case "f": if (forkButton.hidden) return; fork(id, version()); break;
      case "i": sendInput(current, refresh); break;
      case "c": compare(); break;
      default: return;
    }
    event.preventDefault();
  }
}

/** @param {string} label @param {string} shortcut @param {() => void} action @returns {HTMLButtonElement} */
function stepButton(label, shortcut, action) {
  return /** @type {HTMLButtonElement} */ (h("button.step", { type: "button", "aria-label": label, title: `${label} (${shortcut})`, "data-step": label.toLowerCase(), onclick: action }));
}
