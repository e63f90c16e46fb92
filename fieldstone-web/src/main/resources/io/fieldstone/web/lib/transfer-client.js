import { serve } from './transfer-server.js';

/** The time in which connections say goodbye before the Worker ends. */
const GOODBYE_MILLIS = 200;

/** @type {{createScriptURL(url: string): any} | undefined} */
let policy;

/** Returns the address of the Worker's script, in the form that a page with Trusted Types demands. */
function workerUrl() {
  const url = new URL('./worker.js', import.meta.url);
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (types === undefined) {
    return url;
  }
  policy ??= types.createPolicy('fieldstone', { createScriptURL: (each) => each });
  return policy?.createScriptURL(url.href);
}

/** Opens a port to a Worker that runs a transfer; where a page may have none, the page itself runs it. */
function openPort() {
  try {
    const worker = new Worker(workerUrl(), { type: 'module' });
    return { port: worker, end: () => worker.terminate() };
  } catch {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    return { port: port1, end: () => port1.close() };
  }
}

/** The packets of a live stream that may wait for the reader. */
const MAX_WAITING_PACKETS = 2048;

/**
 * Receives a live stream. Packets for which the reader is too slow are dropped.
 * @param {object} options those of LiveTransfer that can be sent to a Worker
 * @param {{onGap?: (sources: number) => void, onProgress?: (progress: any) => void, signal?: AbortSignal}} events
 * @returns {ReadableStream<Uint8Array>}
 */
export function live(options, { onGap, onProgress, signal }) {
  const { port, end } = openPort();
  let dropped = 0;
  let isOver = false;
  const finish = (reason) => {
    isOver = true;
    port.postMessage({ type: 'stop', reason });
    setTimeout(end, GOODBYE_MILLIS);
  };
  return new ReadableStream({
    start(controller) {
      const fail = (error) => {
        if (!isOver) {
          finish(String(error?.message ?? error));
          controller.error(error);
        }
      };
      const handlers = {
        packet: ({ bytes }) => {
          if (controller.desiredSize > 0) {
            controller.enqueue(bytes);
          } else {
            dropped++;
          }
        },
        gap: ({ sources }) => onGap?.(sources),
        progress: ({ progress }) => onProgress?.({ ...progress, dropped: progress.dropped + dropped }),
        completed: () => {
          finish('complete');
          controller.close();
        },
        failed: ({ message }) => fail(new Error(message)),
      };
      port.onmessage = ({ data }) => {
        if (!isOver) {
          handlers[data.type](data);
        }
      };
      /** @type {any} */ (port).onerror =
          (event) => fail(new Error(event.message || 'the script of the worker cannot be loaded'));
      signal?.addEventListener('abort', () => fail(signal.reason), { once: true });
      port.postMessage({ type: 'live', options });
    },
    cancel(reason) {
      finish(String(reason?.message ?? reason));
    },
  }, { highWaterMark: MAX_WAITING_PACKETS });
}

/**
 * Runs a transfer, and gives its bytes to a sink.
 * @param {object} options those of Transfer that can be sent to a Worker
 * @param {import('./sinks.js').Sink} sink
 * @param {{onStart?: (object: any) => void, onProgress?: (progress: any) => void, signal?: AbortSignal}} events
 */
export function transfer(options, sink, { onStart, onProgress, signal }) {
  const { port, end } = openPort();
  let stop = () => {};
  const result = new Promise((resolve, reject) => {
    let object = {};
    const fail = async (error) => {
      reject(error);
      port.postMessage({ type: 'stop', reason: String(error?.message ?? error) });
      await sink.abort(error);
    };
    stop = () => fail(signal?.reason);
    const handlers = {
      engine: ({ engine }) => { object = { ...object, engine }; },
      started: (data) => {
        object = { ...object, ...data.object };
        onStart?.(data.object);
      },
      progress: ({ progress }) => onProgress?.(progress),
      verified: async ({ generation, offset, bytes }) => {
        await sink.write(offset, bytes);
        port.postMessage({ type: 'wrote', generation });
      },
      completed: async () => {
        const blob = await sink.close();
        resolve({ ...object, blob });
      },
      failed: ({ message }) => fail(new Error(message)),
    };
    port.onmessage = ({ data }) => Promise.resolve(data).then(handlers[data.type]).catch(fail);
    /** @type {any} */ (port).onerror =
        (event) => fail(new Error(event.message || 'the script of the worker cannot be loaded'));
    signal?.addEventListener('abort', stop);
    port.postMessage({ type: 'fetch', options });
  });
  return result.finally(() => {
    signal?.removeEventListener('abort', stop);
    setTimeout(end, GOODBYE_MILLIS);
  });
}
