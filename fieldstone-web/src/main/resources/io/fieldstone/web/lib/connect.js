import { fromHex } from './bytes.js';
import { StreamCarrier } from './stream-carrier.js';
import { WebTransportCarrier } from './web-transport.js';

/** The time after which streams of HTTP are tried where WebTransport does not answer: UDP may be blocked. */
const FALLBACK_MILLIS = 1_500;

/** The time after which both have failed: a little less than the 5 s in which a server must connect and greet. */
const GIVE_UP_MILLIS = 4_500;

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

const later = (millis) => new Promise((resolve) => { setTimeout(() => resolve(undefined), millis); });

/** Returns the error of a server that answers in neither way. */
function bothFailed(why, whyOfStreams) {
  return new Error(`${why.replace(/\.$/, '')}, and over HTTP: ${whyOfStreams}`);
}

/**
 * Connects to a server: by WebTransport, or else by streams of HTTP, with a note that says why. The error says why both
 * have failed.
 * @param {{url: string, certificateHashes?: Uint8Array[], streamUrl?: string}} server
 * @returns {Promise<import('./session.js').Transport>}
 */
export async function connect(server) {
  if (server.streamUrl === undefined) {
    return WebTransportCarrier.connect(server);
  }
  if (typeof WebTransport === 'undefined') {
    const why = 'this browser has no WebTransport, or the page is not from a secure origin';
    const only = await StreamCarrier.connect(server.streamUrl).catch((error) => { throw bothFailed(why, error.message); });
    only.note = `over HTTP: ${why}`;
    return only;
  }
  let why = `no answer by UDP within ${FALLBACK_MILLIS / 1000} s`;
  let whyOfStreams = 'no answer';
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
  const end = later(GIVE_UP_MILLIS);
  const carrier = await Promise.race([first.catch(() => undefined), later(FALLBACK_MILLIS)]);
  if (carrier !== undefined) {
    return carrier;
  }
  const fallback = StreamCarrier.connect(server.streamUrl);
  fallback.then((made) => {
    other = made;
    explain();
  }, (error) => { whyOfStreams = error.message; });
  const winner = await Promise.race([Promise.any([first, fallback]).catch(() => undefined), end]);
  for (const each of [first, fallback]) {
    each.then((late) => late !== winner && late.close(0, 'another connection is used'), () => {});
  }
  if (winner === undefined) {
    throw bothFailed(why, whyOfStreams);
  }
  return winner;
}
