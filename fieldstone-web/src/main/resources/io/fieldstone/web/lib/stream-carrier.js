import { MessageFraming } from './web-transport.js';

/** The first byte of a frame: what follows is a control message, a packet, or a code and the reason of the end. */
const CONTROL = 0;
const PACKET = 1;
const CLOSE = 2;

/** The bytes of a request at most, so that a server can bound them. */
const MAX_REQUEST_BYTES = 60_000;

/**
 * A transport over HTTP, where UDP is blocked: the answer to GET is a stream of frames that does not end, and each POST
 * to the address of its session carries frames to the server, in order. A frame is a length (4), a kind (1: 0 control
 * message, 1 packet, 2 end) and a body. The first frame of the stream is the number of the session, as text.
 */
export class StreamCarrier {
  /**
   * Connects.
   * @param {string} url
   */
  static async connect(url) {
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal, cache: 'no-store' });
    if (!response.ok || response.body === null) {
      throw new Error(`the server answers ${response.status} to a stream`);
    }
    const carrier = new StreamCarrier(url, abort);
    await carrier.begin(response.body.getReader());
    return carrier;
  }

  constructor(url, abort) {
    this.url = url;
    this.abort = abort;
    this.session = '';
    this.isClosed = false;
    this.rttMillis = 0;
    /** How it is connected, for a user. */
    this.note = '';
    this.maxDatagramBytes = 1024;
    this.dropped = 0;
    /** @type {Uint8Array[]} */
    this.waiting = [];
    this.isPosting = false;
    this.onControl = (_bytes) => {};
    this.onDatagram = (_bytes) => {};
    this.onClosed = (_code, _reason) => {};
  }

  /** Reads the number of the session, and then goes on to read. */
  async begin(reader) {
    const started = new Promise((resolve, reject) => {
      this.read(reader, () => resolve(undefined)).then(
          () => {
            reject(new Error('the stream ended'));
            this.ended('the server closed the connection');
          },
          (error) => {
            reject(error);
            this.ended(`the connection broke: ${error.message}`);
          });
    });
    await started;
  }

  async read(reader, onSession) {
    const framing = new MessageFraming((frame) => {
      const body = frame.subarray(1);
      if (this.session === '') {
        this.session = new TextDecoder().decode(body);
        onSession();
      } else if (frame[0] === CONTROL) {
        this.onControl(body);
      } else if (frame[0] === CLOSE && body.length >= 4) {
        const code = new DataView(body.buffer, body.byteOffset).getUint32(0);
        this.ended(new TextDecoder().decode(body.subarray(4)), code);
      } else {
        this.onDatagram(body);
      }
    });
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      framing.add(value);
    }
  }

  sendControl(message) {
    this.send(CONTROL, message);
  }

  sendDatagram(packet) {
    if (!this.isPosting) {
      this.send(PACKET, packet); // else the next report replaces it
    }
  }

  send(kind, body) {
    const frame = new Uint8Array(1 + body.length);
    frame[0] = kind;
    frame.set(body, 1);
    this.waiting.push(MessageFraming.frame(frame));
    if (!this.isPosting) {
      this.isPosting = true;
      queueMicrotask(() => this.post());
    }
  }

  /** Sends what waits, one request after the other. */
  async post() {
    try {
      while (this.waiting.length > 0 && !this.isClosed) {
        let bytes = 0;
        let count = 0;
        while (count < this.waiting.length && (count === 0 || bytes + this.waiting[count].length <= MAX_REQUEST_BYTES)) {
          bytes += this.waiting[count++].length;
        }
        const body = new Blob(this.waiting.splice(0, count));
        const sent = performance.now();
        const response = await fetch(`${this.url}/${encodeURIComponent(this.session)}`, { method: 'POST', body, signal: this.abort.signal });
        if (!response.ok) {
          throw new Error(`the server answers ${response.status}`);
        }
        this.rttMillis = performance.now() - sent;
      }
    } catch (error) {
      this.ended(`the connection broke: ${error.message}`);
    } finally {
      this.isPosting = false;
    }
  }

  ended(reason, code = 0) {
    if (!this.isClosed) {
      this.isClosed = true;
      this.abort.abort();
      this.onClosed(code, reason);
    }
  }

  close() {
    this.isClosed = true;
    this.abort.abort();
  }
}
