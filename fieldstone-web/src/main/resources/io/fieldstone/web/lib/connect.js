import { fromHex } from './bytes.js';
import { StreamCarrier } from './stream-carrier.js';
import { WebTransportCarrier } from './web-transport.js';

/** The time after which streams of HTTP are tried where WebTransport does not answer: UDP may be blocked. */
const FALLBACK_MILLIS = 1_500;

/** The time in which a server must describe itself. */
const DESCRIPTION_MILLIS = 2_000;

/**
 * Returns a server with the port and the certificates that it has now: another start of it has others. Returns it as it
 * is if it says nothing.
 * @template {{url: string, certificateHashes?: Uint8Array[], descriptionUrl?: string}} S
 * @param {S} server
 * @returns {Promise<S>}
 */
export async function current(server) {
  if (server.descriptionUrl === undefined) {
    return server;
  }
  try {
    const signal = AbortSignal.timeout(DESCRIPTION_MILLIS);
    const response = await fetch(server.descriptionUrl, { cache: 'no-store', signal });
    const { port, certificateHashes } = await response.json();
    const url = new URL(server.url);
    url.port = port;
    return { ...server, url: url.href, certificateHashes: certificateHashes.map((hash) => fromHex(hash, 32)) };
  } catch {
    return server; // it may not be back yet
  }
}

/**
 * Connects to a server: by WebTransport, or else by streams of HTTP, with a note that says why.
 * @param {{url: string, certificateHashes?: Uint8Array[], streamUrl?: string}} server
 * @returns {Promise<import('./session.js').Transport>}
 */
export async function connect(server) {
  if (server.streamUrl === undefined) {
    return WebTransportCarrier.connect(server);
  }
  if (typeof WebTransport === 'undefined') {
    const only = await StreamCarrier.connect(server.streamUrl);
    only.note = 'over HTTP: this browser has no WebTransport, or the page is not from a secure origin';
    return only;
  }
  let why = `no answer by UDP within ${FALLBACK_MILLIS / 1000} s`;
  /** @type {StreamCarrier | undefined} */
  let other;
  const explain = () => {
    if (other !== undefined) {
      other.note = `over HTTP: ${why}`;
    }
  };
  const first = WebTransportCarrier.connect(server);
  first.catch((error) => {
    why = error.message;
    explain();
  });
  const isLate = new Promise((resolve) => { setTimeout(() => resolve(undefined), FALLBACK_MILLIS); });
  const carrier = await Promise.race([first.catch(() => undefined), isLate]);
  if (carrier !== undefined) {
    return carrier;
  }
  const fallback = StreamCarrier.connect(server.streamUrl);
  fallback.then((made) => {
    other = made;
    explain();
  }, () => {});
  const winner = await Promise.any([first, fallback]);
  for (const each of [first, fallback]) {
    each.then((other) => other !== winner && other.close(0, 'another connection is used'), () => {});
  }
  return winner;
}
