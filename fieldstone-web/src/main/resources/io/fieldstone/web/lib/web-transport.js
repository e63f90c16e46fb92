import { MAX_MESSAGE_BYTES } from './messages.js';
import { ClosedError } from './session.js';

/** The path of a server's sessions. */
const PATH = '/fieldstone';

/** The packets that may wait for this side: 16,384 of 1200 bytes are 20 MB. */
const INCOMING_DATAGRAMS = 16_384;

/** The bytes of a datagram to a server, which fits in every path. */
const MAX_DATAGRAM_BYTES = 1024;

/** The bytes for the next datagram, where this side brings the memory. */
const READ_BYTES = 65_536;

const STATS_MILLIS = 500;

/**
 * Cuts a stream of bytes into control messages, each of which has its length in 4 bytes before it.
 */
export class MessageFraming {
  /** @param {(message: Uint8Array) => void} take */
  constructor(take) {
    this.take = take;
    this.rest = new Uint8Array(0);
  }

  /**
   * Adds bytes; throws RangeError for a length that no message has.
   * @param {Uint8Array} chunk
   */
  add(chunk) {
    let bytes = chunk;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + chunk.length);
      bytes.set(this.rest);
      bytes.set(chunk, this.rest.length);
    }
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
      if (length < 1 || length > MAX_MESSAGE_BYTES) {
        throw new RangeError(`a control message of ${length} bytes`);
      }
      if (bytes.length - at < 4 + length) {
        break;
      }
      this.take(bytes.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    this.rest = bytes.slice(at);
  }

  /**
   * Returns a message with its length.
   * @param {Uint8Array} message
   */
  static frame(message) {
    const framed = new Uint8Array(4 + message.length);
    new DataView(framed.buffer).setUint32(0, message.length);
    framed.set(message, 4);
    return framed;
  }
}

/** A transport over WebTransport: one stream of control messages, and datagrams. */
export class WebTransportCarrier {
  /**
   * Connects.
   * @param {{url: string, certificateHashes?: Uint8Array[]}} server
   */
  static async connect(server) {
    if (typeof WebTransport === 'undefined') {
      throw new ClosedError(
          0, 'this browser has no WebTransport, or the page is not from a secure origin', true);
    }
    const hashes = (server.certificateHashes ?? []).map((value) => ({ algorithm: 'sha-256', value }));
    const url = new URL(server.url);
    if (url.pathname === '/') {
      url.pathname = PATH;
    }
    const options = hashes.length > 0 ? { serverCertificateHashes: hashes } : {};
    const connection = new WebTransport(url.href, { ...options, congestionControl: 'low-latency' });
    connection.closed.catch(() => {}); // taken from ready until the carrier is made
    try {
      await connection.ready;
    } catch (error) {
      // Browsers do not say which.
      const why = 'perhaps by a wrong hash of the certificate, or one that has expired';
      throw new Error(`WebTransport failed, ${why}: ${error.message}`);
    }
    const stream = await connection.createBidirectionalStream();
    return new WebTransportCarrier(connection, stream);
  }

  constructor(connection, stream) {
    this.connection = connection;
    this.isClosed = false;
    this.rttMillis = 0;
    /** The packets that the browser dropped because this side was slow. */
    this.dropped = 0;
    this.onControl = (_bytes) => {};
    this.onDatagram = (_bytes) => {};
    this.onClosed = (_code, _reason) => {};
    const { datagrams } = connection;
    for (const name of ['incomingMaxBufferedDatagrams', 'incomingHighWaterMark']) {
      if (name in datagrams) {
        datagrams[name] = INCOMING_DATAGRAMS;
      }
    }
    this.maxDatagramBytes = Math.min(MAX_DATAGRAM_BYTES, datagrams.maxDatagramSize || MAX_DATAGRAM_BYTES);
    const outgoing = 'createWritable' in datagrams ? datagrams.createWritable() : datagrams.writable;
    this.datagrams = outgoing.getWriter();
    this.control = stream.writable.getWriter();
    this.pending = Promise.resolve();
    connection.closed.then(
        (info) => this.ended(info?.closeCode ?? 0, info?.reason || 'the server closed the connection'),
        (error) => this.ended(0, `the connection broke: ${error.message}`));
    this.readControl(stream.readable).catch((error) => this.failed(error));
    this.readDatagrams(datagrams.readable).catch((error) => this.failed(error));
    if (typeof connection.getStats === 'function') {
      this.stats = setInterval(() => this.updateRtt(), STATS_MILLIS);
    }
  }

  async readControl(readable) {
    const framing = new MessageFraming((message) => this.onControl(message));
    const reader = readable.getReader();
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      framing.add(value);
    }
  }

  async readDatagrams(readable) {
    let reader;
    try {
      reader = readable.getReader({ mode: 'byob' });
    } catch {
      return this.readAllocated(readable.getReader());
    }
    let memory = new Uint8Array(READ_BYTES);
    while (true) {
      const { value, done } = await reader.read(memory);
      if (done) {
        return undefined;
      }
      this.onDatagram(value);
      memory = new Uint8Array(value.buffer);
    }
  }

  /** Reads datagrams where the browser brings the memory. */
  async readAllocated(reader) {
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      this.onDatagram(value);
    }
  }

  async updateRtt() {
    try {
      const stats = await this.connection.getStats();
      this.rttMillis = stats.smoothedRtt || this.rttMillis;
      this.dropped = stats.datagrams?.droppedIncoming ?? 0;
    } catch {
      clearInterval(this.stats); // the connection is closed, or has no numbers
    }
  }

  sendControl(message) {
    this.control.write(MessageFraming.frame(message)).catch((error) => this.failed(error));
  }

  sendDatagram(packet) {
    this.datagrams.write(packet).catch(() => {}); // the next report replaces it
  }

  failed(error) {
    if (!this.isClosed) {
      this.close(0, error.message);
      this.ended(0, error.message);
    }
  }

  ended(code, reason) {
    clearInterval(this.stats);
    if (!this.isClosed) {
      this.isClosed = true;
      this.onClosed(code, reason);
    }
  }

  close(code, reason) {
    clearInterval(this.stats);
    this.isClosed = true;
    try {
      this.connection.close({ closeCode: code, reason: reason.slice(0, 200) });
    } catch {
      // It is closed already.
    }
  }
}
