import { MalformedDataError } from '../bytes.js';
import { isMp4, mp4Initialization } from './mp4.js';
import { isWebm, webmInitialization } from './webm.js';

/** The bytes that tell what a file is. */
const FIRST_BYTES = 16;

/**
 * Reads the type and the codecs of a film from its first bytes. Bytes that are not valid are a reason, too.
 * @param {Uint8Array} bytes
 * @returns {import('./mp4.js').Initialization}
 */
export function initialization(bytes) {
  if (bytes.length < FIRST_BYTES) {
    return { needed: FIRST_BYTES };
  }
  try {
    return isWebm(bytes) ? webmInitialization(bytes)
        : isMp4(bytes) ? mp4Initialization(bytes)
        : { reason: 'it is neither MP4 nor WebM' };
  } catch (error) {
    if (error instanceof MalformedDataError) {
      return { reason: `its description is not valid: ${error.message}` };
    }
    throw error;
  }
}
