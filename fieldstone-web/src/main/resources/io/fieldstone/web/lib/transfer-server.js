import { connect } from './connect.js';
import { loadKernels } from './kernels.js';
import { Transfer } from './transfer.js';

/**
 * Runs one transfer for the page at the other end of a port.
 * @param {MessagePort} port
 */
export function serve(port) {
  /** @type {any} the transfer of an object, or of a live stream */
  let transfer;
  const post = (message, moved = []) => port.postMessage(message, moved);
  const listener = {
    started: (object) => post({ type: 'started', object }),
    verified: (generation, offset, bytes) => post({ type: 'verified', generation, offset, bytes }, [bytes.buffer]),
    progress: (progress) => post({ type: 'progress', progress }),
    completed: () => post({ type: 'completed' }),
    failed: (error) => post({ type: 'failed', message: error.message }),
  };
  port.onmessage = async ({ data }) => {
    switch (data.type) {
      case 'fetch': {
        const kernels = await loadKernels();
        post({ type: 'engine', engine: kernels.name });
        const { publishers, seen, ...options } = data.options;
        const choice = publishers.length === 0
            ? undefined : new (await import('./publishers/object-choice.js')).ObjectChoice(options.query, publishers, seen);
        transfer = new Transfer({ ...options, choice, kernels, connect, listener });
        transfer.start();
        break;
      }
      case 'live': {
        const { LiveTransfer } = await import('./live/live-transfer.js');
        transfer = new LiveTransfer({
          ...data.options,
          kernels: await loadKernels(),
          connect,
          listener: {
            ...listener,
            packet: (bytes) => post({ type: 'packet', bytes }, [bytes.buffer]),
            gap: (sources) => post({ type: 'gap', sources }),
          },
        });
        transfer.start();
        break;
      }
      case 'wrote':
        transfer?.wrote(data.generation);
        break;
      case 'stop':
        transfer?.fail(new Error(data.reason));
        break;
      default:
    }
  };
}
