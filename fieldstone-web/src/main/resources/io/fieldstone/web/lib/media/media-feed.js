// Bytes of a film on their way into a video element, by a MediaSource.

/** The seconds that stay behind the playing position when memory is short: first more, then fewer. */
const BACK_SECONDS = [30, 12];

/** The seconds without pictures or sound that are skipped; films have such gaps at their beginning. */
const GAP_SECONDS = 0.5;

/** Returns the class of media sources that this browser has; iPhones have only managed ones. */
function sourceClass() {
  const { MediaSource, ManagedMediaSource } = /** @type {any} */ (globalThis);
  return MediaSource ?? ManagedMediaSource;
}

/** Returns true if this browser plays a type while it arrives. */
export function isSupported(type) {
  return sourceClass()?.isTypeSupported(type) ?? false;
}

/** Waits for the first of some events, given as targets with names. */
function firstOf(...pairs) {
  const control = new AbortController();
  const { signal } = control;
  return new Promise((resolve) => {
    for (const [target, ...names] of pairs) {
      names.forEach((name) => target.addEventListener(name, resolve, { signal }));
    }
  }).finally(() => control.abort());
}

/** Returns the times between which a video can play from where it is, and the begin of what follows after a gap. */
function bufferedRange({ buffered, currentTime }) {
  let end = currentTime;
  let next = Infinity;
  for (let range = 0; range < buffered.length && next === Infinity; range++) {
    const from = buffered.start(range);
    if (from <= currentTime) {
      end = Math.max(end, buffered.end(range));
    } else if (from <= end + GAP_SECONDS) {
      next = from;
    }
  }
  return { end, next };
}

/** Returns the seconds that a video can play from where it is, over gaps. */
export function bufferedAhead({ buffered, currentTime }) {
  let end = currentTime;
  for (let range = 0; range < buffered.length; range++) {
    if (buffered.start(range) <= end + GAP_SECONDS) {
      end = Math.max(end, buffered.end(range));
    }
  }
  return end - currentTime;
}

/** Appends the bytes of a film, in order, while it plays. */
export class MediaFeed {
  /**
   * @param {HTMLVideoElement} video
   * @param {{aheadSeconds: number, startSeconds: number}} limits the seconds that are buffered ahead at most, and those
   *     before it starts
   */
  constructor(video, { aheadSeconds, startSeconds }) {
    this.video = video;
    this.aheadSeconds = aheadSeconds;
    this.startSeconds = startSeconds;
    this.source = new (sourceClass())();
    this.stopping = new AbortController();
    this.hasStarted = false;
    /** @type {any} */
    this.buffer = undefined;
    video.addEventListener('waiting', () => this.skipGap(), { signal: this.stopping.signal });
  }

  /** Takes the video over, and returns its address. */
  async open(type) {
    const { video, source } = this;
    if (!('MediaSource' in globalThis)) {
      video.disableRemotePlayback = true; // else managed sources do not open
    }
    const address = URL.createObjectURL(source);
    const opened = firstOf([source, 'sourceopen'], [this.stopping.signal, 'abort']);
    video.src = address;
    await opened;
    URL.revokeObjectURL(address);
    this.check();
    this.buffer = source.addSourceBuffer(type);
    return video.src;
  }

  /** Appends bytes once there is room for them. */
  async append(bytes) {
    while (bufferedAhead(this.video) > this.aheadSeconds || this.source.streaming === false) {
      await this.changed();
    }
    while (!await this.tryAppend(bytes)) {
      if (!await this.evict()) {
        this.start();
        await this.changed();
      }
    }
    if (bufferedAhead(this.video) >= this.startSeconds) {
      this.start();
    }
    this.skipGap();
  }

  /** Goes over a gap in which the video waits. */
  skipGap() {
    const { video, source } = this;
    const { end, next } = bufferedRange(video);
    const isWaiting = this.hasStarted && !video.seeking && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
    if (isWaiting && source.readyState !== 'closed' && next < Infinity && end - video.currentTime < GAP_SECONDS) {
      video.currentTime = next;
    }
  }

  async tryAppend(bytes) {
    this.check();
    try {
      this.buffer.appendBuffer(bytes);
    } catch (error) {
      if (error.name === 'QuotaExceededError') {
        return false;
      }
      throw error;
    }
    await this.updated();
    this.check();
    return true;
  }

  /** Removes what was played long ago; returns true if there was any. */
  async evict() {
    this.check();
    const { buffered, currentTime } = this.video;
    const begin = buffered.length > 0 ? buffered.start(0) : Infinity;
    const end = BACK_SECONDS.map((seconds) => currentTime - seconds).find((each) => each > begin + 1);
    if (end === undefined) {
      return false;
    }
    this.buffer.remove(0, end);
    await this.updated();
    return true;
  }

  /** Waits until the playing position has moved, or the browser wants more. */
  async changed() {
    this.check();
    await firstOf([this.video, 'timeupdate', 'seeking', 'error'], [this.source, 'startstreaming', 'sourceclose'],
        [this.stopping.signal, 'abort']);
    this.check();
  }

  async updated() {
    if (this.buffer.updating) {
      await firstOf([this.buffer, 'updateend'], [this.source, 'sourceclose'], [this.stopping.signal, 'abort']);
    }
  }

  check() {
    this.stopping.signal.throwIfAborted();
    if (this.video.error !== null) {
      throw new Error(`the browser cannot play it: ${this.video.error.message || `error ${this.video.error.code}`}`);
    }
    if (this.source.readyState === 'closed') {
      throw new Error('the video shows something else');
    }
  }

  /** Starts to play, once. A browser may want its user to do so: then the video waits. */
  start() {
    const { video } = this;
    if (this.hasStarted) {
      return;
    }
    this.hasStarted = true;
    if (video.buffered.length > 0 && video.currentTime < video.buffered.start(0)) {
      video.currentTime = video.buffered.start(0);
    }
    video.play().catch(() => {});
  }

  /** Ends the film after what was appended. */
  end() {
    if (this.source.readyState === 'open') {
      this.source.endOfStream();
    }
    this.start();
  }

  /** Ends what waits. What was appended can still be played. */
  stop(reason) {
    this.stopping.abort(reason);
  }
}
