/**
 * What the address says that the page shows: in its fragment, which browsers do not send to servers, the text of the search and the
 * machines that are open, each with the name of its session and an input for the form:
 * `#find=count&machine=counter&session=main&input=isOn&value=true`. An invitation also has a ticket, and then the id of a session.
 * @typedef {{machine: string, session?: string, input?: string, value?: string, ticket?: string}} Place
 * @typedef {{find: string, places: Place[]}} Address
 * @typedef {{machine: string, session: string, ticket: string}} Invitation
 */

/**
 * Returns what a fragment says, each machine once; null if it says something else, such as `#machines`.
 * @param {string} fragment
 * @returns {Address | null}
 */
export function parse(fragment) {
  /** @type {Address} */
  const address = { find: "", places: [] };
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    const place = address.places.at(-1);
    if (name === "find") address.find = text;
    else if (name === "machine") address.places.push({ machine: text });
    else if (place && ["session", "input", "value", "ticket"].includes(name)) place[name] ??= text;
    else return null;
  }
  address.places = address.places.filter(({ machine }, index, all) => all.findIndex((other) => other.machine === machine) === index);
  return address;
}

/** @param {Address} address */
export function format({ find, places }) {
  const pairs = new URLSearchParams(find ? { find } : {});
  for (const place of places) {
    for (const name of ["machine", "session", "input", "value", "ticket"]) if (place[name] !== undefined) pairs.append(name, place[name]);
  }
  return location.pathname + location.search + (pairs.size ? `#${pairs}` : "");
}

/** The link of an invitation. @param {Invitation} invitation */
export function link(invitation) {
  return location.origin + format({ find: "", places: [invitation] });
}

/** The invitations with which the page was opened. They are removed from the address, so that they are not passed on again. */
let received = take();

/**
 * Returns the session and the ticket of the invitation for a machine with which the page was opened. Who calls it first has it: scripts
 * of a program when they run or `machines` has settled, and after them the console.
 * @param {string} machine
 * @returns {Invitation | null}
 */
export function invitation(machine) {
  const found = received.find((place) => place.machine === machine) ?? null;
  received = received.filter((place) => place !== found);
  return found;
}

/** The machines with invitations that nobody has accepted. */
export const invited = () => received.map(({ machine }) => machine);

// A link that is opened in the tab of the page changes only the fragment.
addEventListener("hashchange", () => {
  if (parse(location.hash)?.places.some(({ ticket }) => ticket)) location.reload();
});

/** @returns {Invitation[]} */
function take() {
  const address = parse(location.hash);
  const invitations = address?.places.filter(({ ticket }) => ticket) ?? [];
  if (address === null || invitations.length === 0) return [];
  history.replaceState(history.state, "", format({ ...address, places: address.places.filter(({ ticket }) => !ticket) }));
  return /** @type {Invitation[]} */ (invitations.filter(({ session }) => session));
}
