import { toHex } from '../bytes.js';
import { openMaster } from '../decryption.js';

const NUMBER_BYTES = 8;
const NONCE_BYTES = 12;

/** Decrypts the packets of a stream (docs/live.md, "Encryption"). */
export class PacketDecryption {
  /** @param {CryptoKey} key the key of the stream */
  constructor(key) {
    this.key = key;
  }

  /**
   * Derives the key of a stream; returns null for one that is not encrypted.
   * @param {{keyId: Uint8Array, salt: Uint8Array} | null} encryption
   * @param {Uint8Array | string | undefined} key the master key
   * @throws {RangeError} if a key is missing, not needed, or another
   */
  static async of(encryption, key) {
    if (encryption === null) {
      if (key !== undefined) {
        throw new RangeError('the stream is not encrypted, but a key is given');
      }
      return null;
    }
    const wanted = toHex(encryption.keyId);
    if (key === undefined) {
      throw new RangeError(`the stream is encrypted: key ${wanted} is needed`);
    }
    const master = await openMaster(key);
    if (master.keyId !== wanted) {
      throw new RangeError(`the stream is encrypted with key ${wanted}, not with key ${master.keyId}`);
    }
    return new PacketDecryption(await master.key(encryption.salt, 'fieldstone stream'));
  }

  /**
   * Authenticates and decrypts a packet; returns null if the holder of the key has not made it.
   * @param {Uint8Array} packet its number, the ciphertext and a tag
   */
  async decrypt(packet) {
    const iv = new Uint8Array(NONCE_BYTES);
    iv.set(packet.subarray(0, NUMBER_BYTES));
    try {
      return new Uint8Array(
          await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, this.key, packet.subarray(NUMBER_BYTES)));
    } catch {
      return null;
    }
  }
}
