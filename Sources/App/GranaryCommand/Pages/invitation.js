/**
 * Links that share a session: the fragment, which browsers do not send to servers, has the machine, the session's id and
 * a ticket.
 * @typedef {{machine: string, session: string, ticket: string}} Invitation
 */

/**
 * Returns the link of an invitation.
 * @param {Invitation} invitation
 */
export function link(invitation) {
  return `${location.origin}${location.pathname}#${new URLSearchParams(invitation)}`;
}

/** The invitation with which the page was opened. It is removed from the address, so that it is not passed on again. */
const received = take();

/**
 * Returns the session and the ticket of the invitation with which the page was opened, if it is for a machine.
 * @param {string} machine
 * @returns {Invitation | null}
 */
export function invitation(machine) {
  return received?.machine === machine ? received : null;
}

// A link that is opened in the tab of the page changes only the fragment.
addEventListener("hashchange", () => {
  if (read() !== null) location.reload();
});

/** @returns {Invitation | null} */
function take() {
  const invitation = read();
  if (invitation !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return invitation;
}

/** @returns {Invitation | null} */
function read() {
  const { machine, session, ticket } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return machine && session && ticket ? { machine, session, ticket } : null;
}
