/** The one-time ticket in an address's fragment (`#ticket=...`), or null. */
export function ticketInHash(hash: string): string | null {
  const ticket = new URLSearchParams(hash.replace(/^#/, '')).get('ticket');
  return ticket === null || ticket === '' ? null : ticket;
}

/** Takes the ticket out of the page's address, so that neither history nor a screenshot keeps it. */
export function takeTicket(location: Location, history: History): string | null {
  const ticket = ticketInHash(location.hash);
  if (ticket !== null) history.replaceState(null, '', location.pathname);
  return ticket;
}
