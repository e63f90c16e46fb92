import { mediaTypeOf } from './media-type.js';

/** The seconds that are kept before the place of playback, where memory is short. */
const KEPT_SECONDS = 5;

/** The seconds that are appended ahead of the place of playback. */
const AHEAD_SECONDS = 60;

const WAIT_MILLIS = 200;

/**
 * Returns a sink that plays WebM or fragmented MP4 while it arrives. It takes no more than a minute ahead, so that the
 * receiver waits. A write fails if the browser cannot play the file so.
 * @param {HTMLMediaElement} element
 * @returns {WritableStream<Uint8Array>}
 */
export function playerOf(element) {
  /** @type {MediaSource} */
  let source;
  /** @type {SourceBuffer} */
  let buffer;
  return new WritableStream({
    async write(chunk) {
      if (buffer === undefined) {
        source = await open(element);
        buffer = addBuffer(source, chunk);
      }
      await isWanted(element);
      await append(element, buffer, chunk);
    },
    close() {
      if (source?.readyState === 'open') {
        source.endOfStream();
      }
    },
    abort() {
      if (source?.readyState === 'open') {
        source.endOfStream('network');
      }
    },
  }, { highWaterMark: 1 });
}

/** Opens a source for an element; iPhones have the managed kind only. */
async function open(element) {
  const Source = /** @type {any} */ (globalThis).ManagedMediaSource ?? globalThis.MediaSource;
  if (Source === undefined) {
    throw new Error('this browser cannot play a file while it arrives');
  }
  const source = new Source();
  /** @type {any} */ (element).disableRemotePlayback = true;
  element.src = URL.createObjectURL(source);
  if (source.readyState !== 'open') {
    await new Promise((resolve) => { source.addEventListener('sourceopen', resolve, { once: true }); });
  }
  URL.revokeObjectURL(element.src);
  return source;
}

function addBuffer(source, chunk) {
  const type = mediaTypeOf(chunk);
  if (type === undefined) {
    throw new Error('only WebM and fragmented MP4 can be played while they arrive');
  }
  if (!source.constructor.isTypeSupported(type)) {
    throw new Error(`this browser does not play ${type}`);
  }
  return source.addSourceBuffer(type);
}

/** Waits until the place of playback has come near the end of what is buffered. */
async function isWanted(element) {
  while (bufferedSeconds(element) > AHEAD_SECONDS) {
    await new Promise((resolve) => { setTimeout(resolve, WAIT_MILLIS); });
  }
}

/**
 * Returns the seconds that can be played without another byte.
 * @param {HTMLMediaElement} element
 */
export function bufferedSeconds(element) {
  const { buffered, currentTime } = element;
  for (let i = 0; i < buffered.length; i++) {
    if (buffered.start(i) <= currentTime + 0.1 && currentTime <= buffered.end(i)) {
      return buffered.end(i) - currentTime;
    }
  }
  return 0;
}

/** Appends bytes, and makes room for them if there is none. */
async function append(element, buffer, chunk) {
  while (true) {
    try {
      buffer.appendBuffer(chunk);
      await updated(element, buffer);
      return;
    } catch (error) {
      if (error.name !== 'QuotaExceededError') {
        throw error;
      }
    }
    const end = element.currentTime - KEPT_SECONDS;
    if (buffer.buffered.length > 0 && end > buffer.buffered.start(0)) {
      buffer.remove(0, end);
      await updated(element, buffer);
    } else {
      await new Promise((resolve) => { setTimeout(resolve, WAIT_MILLIS); });
    }
  }
}

function updated(element, buffer) {
  return new Promise((resolve, reject) => {
    buffer.addEventListener('updateend', () => {
      if (element.error === null) {
        resolve(undefined);
      } else {
        reject(new Error(`this browser cannot play the file: ${element.error.message}`));
      }
    }, { once: true });
  });
}
