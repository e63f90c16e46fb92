import { bufferedAhead, isSupported, MediaFeed } from './media-feed.js';
import { initialization } from './media-type.js';
import { BlobSink } from '../sinks.js';

const AHEAD_SECONDS = 30;
const START_SECONDS = 2;

/** @type {WeakMap<HTMLVideoElement, AbortController>} what counts for each video now */
const watched = new WeakMap();

/**
 * Takes the verified bytes of a film in any order, and plays them. Fragmented MP4 and WebM play while they arrive;
 * other files, and codecs that the browser lacks, once they are complete.
 */
export class PlayerSink {
  /**
   * @param {HTMLVideoElement} video
   * @param {{keep?: boolean, aheadSeconds?: number, startSeconds?: number,
   *     onPlayback?: (playback: import('../../fieldstone.js').Playback) => void}} [options]
   */
  constructor(video, { keep = false, aheadSeconds = AHEAD_SECONDS, startSeconds = START_SECONDS, onPlayback } = {}) {
    this.video = video;
    this.limits = { aheadSeconds, startSeconds };
    this.playback = new PlaybackCounts(video, onPlayback);
    this.playback.on(['seeking'], () => this.seek());
    this.playback.on(['emptied'], () => this.endIfReplaced());
    /** Where all bytes are kept, if they are. */
    this.kept = keep ? new BlobSink() : undefined;
    /** @type {BlobSink | undefined} what the video got, until it shows a picture */
    this.trial = keep ? undefined : new BlobSink();
    /** @type {Map<number, {bytes: Uint8Array | Blob, resolve: () => void, reject: (error: any) => void}>} */
    this.parts = new Map();
    this.next = 0;
    /** @type {Uint8Array[]} the first bytes, until they tell what the file is */
    this.head = [];
    this.headBytes = 0;
    this.needed = 0;
    /** @type {MediaFeed | undefined} */
    this.feed = undefined;
    /** The address that the video shows, once it shows this film. */
    this.address = '';
    this.hasPlayedKept = false;
    this.isAdvancing = false;
    this.isClosed = false;
    /** @type {any} why nothing can be taken any more */
    this.failure = undefined;
  }

  /** Takes bytes. If they are not kept, it is done once the video has them, so that a long film comes as it plays. */
  async write(offset, bytes) {
    if (this.failure !== undefined) {
      throw this.failure;
    }
    const { kept } = this;
    if (kept === undefined) {
      await new Promise((resolve, reject) => {
        this.parts.set(offset, { bytes, resolve: () => resolve(undefined), reject });
        this.advance();
      });
      return;
    }
    await kept.write(offset, bytes);
    if (this.playback.mode !== 'complete') {
      const blob = /** @type {Blob} */ (kept.parts.get(offset));
      this.parts.set(offset, { bytes: blob, resolve: () => {}, reject: () => {} });
      this.advance();
    }
  }

  /** Feeds the parts that follow each other. */
  async advance() {
    if (this.isAdvancing) {
      return;
    }
    this.isAdvancing = true;
    for (let part = this.parts.get(this.next); part !== undefined; part = this.parts.get(this.next)) {
      this.parts.delete(this.next);
      try {
        const bytes = part.bytes instanceof Blob ? new Uint8Array(await part.bytes.arrayBuffer()) : part.bytes;
        this.next += bytes.length;
        await this.take(bytes);
        part.resolve();
      } catch (error) {
        this.fail(error);
        if (this.failure === undefined) {
          part.resolve(); // it is kept
        } else {
          part.reject(this.failure);
        }
      }
    }
    this.isAdvancing = false;
    if (this.isClosed && this.failure === undefined) {
      this.finish();
    }
  }

  async take(bytes) {
    if (this.playback.mode === 'complete') {
      await this.kept?.write(this.next - bytes.length, bytes);
      return;
    }
    await this.trial?.write(this.next - bytes.length, bytes);
    if (this.feed !== undefined) {
      await this.feed.append(bytes);
    } else {
      await this.decide(bytes);
    }
    if (this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && this.feed !== undefined) {
      this.trial = undefined;
    }
  }

  /** Chooses how to play, once the first bytes tell what they are. */
  async decide(bytes) {
    this.head.push(bytes);
    this.headBytes += bytes.length;
    if (this.headBytes < this.needed) {
      return;
    }
    const head = joined(this.head, this.headBytes);
    const { type = '', reason, needed = 0 } = initialization(head);
    this.needed = needed;
    this.playback.type = type;
    if (reason !== undefined) {
      this.playLater(reason);
    } else if (type !== '' && !isSupported(type)) {
      this.playLater(`this browser does not play ${type} while it arrives`);
    } else if (type !== '') {
      this.head = [];
      this.feed = new MediaFeed(this.video, this.limits);
      this.address = await this.feed.open(type);
      this.playback.become('arriving');
      await this.feed.append(head);
    }
  }

  /** Keeps all bytes, and plays them once they are complete. */
  playLater(reason) {
    this.feed?.stop(new Error(reason));
    this.feed = undefined;
    this.head = [];
    this.playback.become('complete', reason);
    this.kept ??= this.trial;
    this.trial = undefined;
    const parts = [...this.parts];
    this.parts.clear();
    for (const [offset, { bytes, resolve, reject }] of parts) {
      this.kept?.write(offset, bytes).then(resolve, reject);
    }
  }

  /** Gives up to play what arrives. It plays in the end if all of it is there. */
  fail(error) {
    if (this.hasPlayedKept) {
      return;
    }
    this.endIfReplaced();
    if (this.kept !== undefined || this.trial !== undefined) {
      this.playLater(error.message);
      return;
    }
    this.feed?.stop(error);
    this.feed = undefined;
    this.failure = error;
    this.parts.forEach(({ reject }) => reject(error));
    this.parts.clear();
  }

  /** Ends the film once the video has all of it, or begins to play it now that it is complete. */
  async finish() {
    if (this.feed !== undefined) {
      this.feed.end();
      return;
    }
    if (this.playback.mode === 'undecided') {
      this.playLater('it ends within its description');
    }
    await this.playKept(this.address === '' ? 0 : this.video.currentTime);
  }

  /** Returns true if the video shows something else by now. */
  isReplaced() {
    return this.address !== '' && this.video.src !== this.address;
  }

  endIfReplaced() {
    if (this.isReplaced()) {
      this.playback.end();
    }
  }

  /** Plays what is kept from a time on, unless the video shows something else by now. */
  async playKept(seconds) {
    const { video, kept } = this;
    if (kept === undefined || this.hasPlayedKept || this.isReplaced()) {
      return;
    }
    this.hasPlayedKept = true;
    this.address = URL.createObjectURL(await kept.close());
    const { address } = this;
    video.src = address;
    video.addEventListener('emptied', () => {
      if (video.src !== address) {
        URL.revokeObjectURL(address);
      }
    });
    video.currentTime = seconds;
    video.play().catch(() => {});
  }

  /** Goes to a time that the video has forgotten, or does not have yet, once everything is there. */
  async seek() {
    const { video, feed } = this;
    if (this.isClosed && this.kept !== undefined && feed !== undefined && bufferedAhead(video) === 0
        && video.currentTime < video.duration) {
      this.feed = undefined;
      this.parts.clear();
      const played = this.playKept(video.currentTime);
      feed.stop(new Error('it plays what is complete'));
      await played;
    }
  }

  /** Returns the whole file if it was kept. It may be playing for long. */
  async close() {
    this.isClosed = true;
    this.advance();
    return this.kept?.close();
  }

  async abort(reason) {
    await this.kept?.abort();
    this.kept = undefined;
    this.trial = undefined;
    this.fail(reason);
  }
}

/** Counts what viewers notice, and tells it whenever the video changes. */
class PlaybackCounts {
  /**
   * @param {HTMLVideoElement} video
   * @param {(playback: any) => void} [listener]
   */
  constructor(video, listener = () => {}) {
    this.video = video;
    this.listener = listener;
    /** @type {'undecided' | 'arriving' | 'complete'} */
    this.mode = 'undecided';
    this.problem = '';
    this.type = '';
    this.stalls = 0;
    this.hasStarted = false;
    watched.get(video)?.abort();
    /** Ends once the video shows something else. */
    this.control = new AbortController();
    watched.set(video, this.control);
    this.on(['loadstart'], () => { this.hasStarted = false; });
    this.on(['playing'], () => { this.hasStarted = true; });
    this.on(['waiting'], () => { this.stalls += this.hasStarted && !video.seeking && video.readyState > 0 ? 1 : 0; });
    this.on(['error'], () => {
      this.problem = `the browser cannot play it: ${video.error?.message || 'no reason is given'}`;
    });
    this.on(
        ['loadstart', 'playing', 'waiting', 'timeupdate', 'progress', 'seeked', 'ended', 'error'],
        () => this.report());
    this.report();
  }

  on(names, action) {
    names.forEach((name) => this.video.addEventListener(name, action, { signal: this.control.signal }));
  }

  end() {
    this.control.abort();
  }

  become(mode, problem = '') {
    this.mode = mode;
    this.problem = problem;
    this.report();
  }

  report() {
    const { mode, problem, type, stalls, hasStarted } = this;
    if (this.control.signal.aborted) {
      return;
    }
    this.listener({ mode, problem, type, stalls, hasStarted, aheadSeconds: bufferedAhead(this.video) });
  }
}

function joined(parts, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
