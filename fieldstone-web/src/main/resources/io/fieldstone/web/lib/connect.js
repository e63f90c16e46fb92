import { StreamCarrier } from './stream-carrier.js';
import { WebTransportCarrier } from './web-transport.js';

/** The time after which streams of HTTP are tried where WebTransport does not answer: UDP may be blocked. */
const FALLBACK_MILLIS = 1_500;

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
    why = `WebTransport failed, perhaps by a wrong hash of the certificate: ${error.message}`;
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
