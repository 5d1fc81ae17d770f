// What the page's socket needs beside the cookie where the server has an access token: a ticket
// that opens one socket, named as a subprotocol. Whether it needs one is remembered, so that a page
// asks for it while its code is still under way (first-paint.js), and one without never does.

import { read, remember } from "../base/storage.js";

const PATH = "/session/socket";
const KEY = "ticket";
const [NEEDED, NEEDLESS] = ["needed", "needless"];

/** Whether the server has asked for one before. */
export const needsTicket = () => read(KEY) === NEEDED;

/**
 * The protocols to open a socket with; none where the server wants no ticket. Throws when there is
 * no answer, or no right to one.
 */
export async function socketProtocols() {
  const asked = window.firstTicket ?? fetch(PATH);
  delete window.firstTicket;
  const answer = await asked;
  const isNeedless = answer.status === 404;
  if (!answer.ok && !isNeedless) throw new Error(`${PATH}: ${answer.status}`);
  remember(KEY, isNeedless ? NEEDLESS : NEEDED);
  return isNeedless ? [] : ["livetape", `livetape.ticket.${await answer.text()}`];
}
