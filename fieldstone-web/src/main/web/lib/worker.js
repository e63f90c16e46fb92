// A transfer in a Worker: connections, decoding and hashing. The page has the sink.

import { connect } from './connect.js';
import { loadKernels } from './kernels.js';
import { Transfer } from './transfer.js';

/** @type {Transfer | undefined} */
let transfer;

const page = /** @type {any} */ (self);

page.onmessage = async ({ data }) => {
  switch (data.type) {
    case 'fetch': {
      const kernels = await loadKernels();
      page.postMessage({ type: 'engine', engine: kernels.name });
      transfer = new Transfer({
        ...data.options,
        kernels,
        connect,
        listener: {
          started: (object) => page.postMessage({ type: 'started', object }),
          verified: (generation, offset, bytes) =>
              page.postMessage({ type: 'verified', generation, offset, bytes }, [bytes.buffer]),
          progress: (progress) => page.postMessage({ type: 'progress', progress }),
          completed: () => page.postMessage({ type: 'completed' }),
          failed: (error) => page.postMessage({ type: 'failed', message: error.message }),
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
