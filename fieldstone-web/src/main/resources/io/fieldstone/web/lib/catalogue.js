import { listRequest } from './messages.js';
import { Session } from './session.js';

/** The entries of a catalogue that are kept: a server may have no end of them. */
const MAX_ENTRIES = 100_000;

/**
 * Lists what a server offers, page by page.
 * @param {any} server
 * @param {string} token
 * @param {(server: any) => Promise<import('./session.js').Transport>} connect
 * @param {number} [maxEntries] the entries that are kept
 * @returns {AsyncGenerator<import('./messages.js').Entry>}
 */
export async function* list(server, token, connect, maxEntries = MAX_ENTRIES) {
  const transport = await connect(server);
  const pages = [];
  let wake = () => {};
  let end;
  const session = new Session(transport, token, [listRequest()], {
    accepted: () => {},
    message: (message) => {
      if (message.type === 'catalogue') {
        pages.push(message);
        wake();
      }
    },
    closed: (error) => {
      end = error;
      wake();
    },
  });
  try {
    let count = 0;
    while (true) {
      const page = pages.shift();
      if (page === undefined) {
        if (end !== undefined) {
          throw end;
        }
        await new Promise((resolve) => { wake = () => resolve(undefined); });
        continue;
      }
      for (const entry of page.entries) {
        if (++count > maxEntries) {
          throw new Error(`the catalogue has more than ${maxEntries} entries`);
        }
        yield entry;
      }
      if (page.isLast) {
        return;
      }
    }
  } finally {
    session.close(0, 'listed');
  }
}
