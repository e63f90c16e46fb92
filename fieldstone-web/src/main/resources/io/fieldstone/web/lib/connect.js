import { StreamCarrier } from './stream-carrier.js';
import { WebTransportCarrier } from './web-transport.js';

/** The time after which streams of HTTP are tried where WebTransport does not answer: UDP may be blocked. */
const FALLBACK_MILLIS = 1_500;

/**
 * Connects to a server: by WebTransport, or else by streams of HTTP.
 * @param {{url: string, certificateHashes?: Uint8Array[], streamUrl?: string}} server
 * @returns {Promise<import('./session.js').Transport>}
 */
export async function connect(server) {
  if (server.streamUrl === undefined) {
    return WebTransportCarrier.connect(server);
  }
  if (typeof WebTransport === 'undefined') {
    return StreamCarrier.connect(server.streamUrl);
  }
  const first = WebTransportCarrier.connect(server);
  first.catch(() => {}); // taken below
  const isLate = new Promise((resolve) => { setTimeout(() => resolve(undefined), FALLBACK_MILLIS); });
  const carrier = await Promise.race([first.catch(() => undefined), isLate]);
  if (carrier !== undefined) {
    return carrier;
  }
  const fallback = StreamCarrier.connect(server.streamUrl);
  const winner = await Promise.any([first, fallback]);
  for (const each of [first, fallback]) {
    each.then((other) => other !== winner && other.close(0, 'another connection is used'), () => {});
  }
  return winner;
}
