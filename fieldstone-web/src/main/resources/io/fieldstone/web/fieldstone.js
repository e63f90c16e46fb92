/**
 * Receives files from servers of Fieldstone in a browser: from several at once, although packets are lost, and verified
 * whoever sends them.
 *
 *     import { Receiver } from './fieldstone.js';
 *
 *     const receiver = new Receiver({ servers: [{ url: 'https://a.example:4433', certificateHashes: ['1c7f…'] }] });
 *     for await (const entry of receiver.list()) {
 *       console.log(entry.name, entry.length, entry.id);
 *     }
 *     const { blob } = await receiver.fetch('film.mkv', { onProgress: (progress) => console.log(progress.done) });
 *
 * receiver.stream() receives a live stream, packet by packet.
 *
 * Types: fieldstone.d.ts. Names of entries come from servers: show them as text, never as markup.
 */

import { fromHex } from './lib/bytes.js';
import { list } from './lib/catalogue.js';
import { connect } from './lib/connect.js';
import { BlobSink, sinkOf } from './lib/sinks.js';
import { live, transfer } from './lib/transfer-client.js';

export { MalformedDataError } from './lib/bytes.js';
export { ClosedError } from './lib/session.js';

/** The memory for incomplete generations of what plays, so that the first of them are not far behind the last. */
const PLAY_WINDOW_BYTES = 8 << 20;

/** The longest deadline of a live stream. */
const MAX_DEADLINE_MILLIS = 60_000;

/** The bytes of the SHA-256 of a certificate. */
const HASH_BYTES = 32;

/** Receives objects from some servers. */
export class Receiver {
  /**
   * @param {import('./fieldstone.js').ReceiverOptions} options
   */
  constructor({ servers, object, publishers = [], token = '', key, windowBytes, maxBytesPerSecond }) {
    if (servers.length === 0) {
      throw new RangeError('no server is given');
    }
    this.servers = servers.map(normalized);
    this.object = object;
    this.publishers = publishers.map(requireKey);
    this.token = token;
    this.key = key;
    this.windowBytes = windowBytes;
    this.maxBytesPerSecond = maxBytesPerSecond;
  }

  /** Lists what the servers offer, each entry with the index of its server. Fails if all servers do. */
  async *list() {
    const problems = [];
    for (const [server, each] of this.servers.entries()) {
      try {
        for await (const entry of list(each, this.token, connect)) {
          yield { ...entry, server };
        }
      } catch (error) {
        problems.push(`${new URL(each.url).host}: ${error.message}`);
      }
    }
    if (problems.length === this.servers.length) {
      throw new Error(problems.join('; '));
    }
  }

  /**
   * Fetches an object from all servers.
   * @param {string | undefined} query its name, or at least 8 digits of its id; by default the object of the receiver
   * @param {import('./fieldstone.js').FetchOptions} [options]
   * @returns {Promise<import('./fieldstone.js').FetchResult>}
   */
  async fetch(query = this.object, { sink, ...events } = {}) {
    return this.transfer(query, sink === undefined ? new BlobSink() : sinkOf(sink), this.windowBytes, events);
  }

  /**
   * Fetches a film from all servers and plays it: fragmented MP4 and WebM while they arrive, others once complete.
   * @param {string | undefined} query its name, or at least 8 digits of its id; by default the object of the receiver
   * @param {HTMLVideoElement} video
   * @param {import('./fieldstone.js').PlayOptions} [options]
   * @returns {Promise<import('./fieldstone.js').FetchResult>} once all bytes have arrived; it may play for longer
   */
  async play(query = this.object, video, { keep, aheadSeconds, startSeconds, onPlayback, ...events } = {}) {
    const { PlayerSink } = await import('./lib/media/player.js');
    const sink = new PlayerSink(video, { keep, aheadSeconds, startSeconds, onPlayback });
    return this.transfer(query, sink, this.windowBytes ?? PLAY_WINDOW_BYTES, events);
  }

  /**
   * Receives a live stream from the first server that answers: its packets in order. What was not there at its deadline
   * is left out.
   * @param {import('./fieldstone.js').StreamOptions} [options]
   * @returns {ReadableStream<Uint8Array>}
   */
  stream({ deadlineMillis, onGap, onProgress, signal } = {}) {
    signal?.throwIfAborted();
    if (deadlineMillis !== undefined && !(deadlineMillis > 0 && deadlineMillis <= MAX_DEADLINE_MILLIS)) {
      throw new RangeError(`a deadline of ${deadlineMillis} ms is not in 0…${MAX_DEADLINE_MILLIS}`);
    }
    const { servers, token, key } = this;
    return live({ servers, token, key, deadlineMillis }, { onGap, onProgress, signal });
  }

  /** Fetches to a sink. */
  async transfer(query, sink, windowBytes, { onProgress, onStart, signal }) {
    if (query === undefined) {
      throw new RangeError('no object is given');
    }
    signal?.throwIfAborted();
    const { servers, publishers, token, key, maxBytesPerSecond } = this;
    const id = /^[0-9A-F]{8,64}$/i.test(query) ? query.toLowerCase() : query;
    const records = publishers.length === 0
        ? undefined : new (await import('./lib/publishers/seen-records.js')).SeenRecords(id);
    const options = { servers, query: id, token, key, windowBytes, maxBytesPerSecond };
    return transfer({ ...options, publishers, seen: records?.seconds(publishers) }, sink, {
      onStart: (object) => {
        records?.add(object);
        onStart?.(object);
      },
      onProgress,
      signal,
    });
  }
}

function requireKey(text) {
  if (!/^ed25519:[0-9a-f]{64}$/.test(text)) {
    throw new RangeError(`'${text}' is not a public key: 'ed25519:' and 64 hexadecimal digits`);
  }
  return text;
}

function addressOf(url) {
  try {
    return new URL(url.includes('://') ? url : `https://${url}`);
  } catch {
    throw new RangeError(`'${url}' is not the address of a server: HOST:PORT`);
  }
}

function normalized({ url, certificateHashes = [], streamUrl, descriptionUrl }) {
  const address = addressOf(url);
  if (address.protocol !== 'https:') {
    throw new RangeError(`${url} is not an address of https`);
  }
  return {
    url: address.href,
    streamUrl,
    descriptionUrl,
    certificateHashes: certificateHashes.map((hash) =>
        typeof hash === 'string' ? fromHex(hash.replace(/^sha256:/, '').replaceAll(':', ''), HASH_BYTES) : hash),
  };
}
