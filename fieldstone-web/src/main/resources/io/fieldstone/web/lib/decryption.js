// AES-256-GCM by generations (docs/format.md, "Encryption"), and the files of keys.

import { areEqual, toHex } from './bytes.js';

const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const KIND = 'FIELDSTONE ENCRYPTION KEY';

/**
 * Returns the 32 bytes of a master key.
 * @param {Uint8Array | string} key these bytes, or the text of a key file
 */
export async function readKey(key) {
  if (typeof key !== 'string') {
    if (key.length !== KEY_BYTES) {
      throw new RangeError(`a key of ${key.length} bytes, not ${KEY_BYTES}`);
    }
    return key;
  }
  const match = new RegExp(`^-----BEGIN ${KIND}-----\r?\n([A-Za-z0-9+/=]+)\r?\n-----END ${KIND}-----(\r?\n)?$`).exec(key);
  if (match === null) {
    throw new RangeError('this is not the text of a key file');
  }
  const bytes = Uint8Array.from(atob(match[1]), (character) => character.charCodeAt(0));
  const kind = new TextEncoder().encode(KIND);
  const checked = new Uint8Array(kind.length + KEY_BYTES);
  checked.set(kind);
  checked.set(bytes.subarray(0, KEY_BYTES), kind.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', checked));
  if (bytes.length !== KEY_BYTES + 4 || !areEqual(bytes.subarray(KEY_BYTES), digest.subarray(0, 4))) {
    throw new RangeError('the key file is damaged: its checksum is wrong');
  }
  return bytes.slice(0, KEY_BYTES);
}

/**
 * Opens a master key: gives its id, and keys of AES-256-GCM that are derived from it.
 * @param {Uint8Array | string} key
 */
export async function openMaster(key) {
  const master = await crypto.subtle.importKey('raw', await readKey(key), 'HKDF', false, ['deriveBits']);
  const derive = async (salt, info, bytes) => new Uint8Array(await crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(info) }, master, 8 * bytes));
  return {
    keyId: toHex(await derive(new Uint8Array(0), 'fieldstone key id', KEY_ID_BYTES)),
    key: async (salt, info) =>
        crypto.subtle.importKey('raw', await derive(salt, info, KEY_BYTES), 'AES-GCM', false, ['decrypt']),
  };
}

/** Decrypts the generations of one object. */
export class Decryption {
  /**
   * @param {import('./manifest.js').Manifest} manifest
   * @param {CryptoKey} key the key of the object
   */
  constructor(manifest, key) {
    this.manifest = manifest;
    this.key = key;
  }

  /**
   * Derives the key of an object; returns null for one that is not encrypted.
   * @param {import('./manifest.js').Manifest} manifest
   * @param {Uint8Array | string | undefined} key the master key
   * @throws {RangeError} if a key is missing, not needed, or another
   */
  static async of(manifest, key) {
    const { encryption } = manifest;
    if (encryption === null) {
      if (key !== undefined) {
        throw new RangeError('a key is given, but the object is not encrypted');
      }
      return null;
    }
    if (key === undefined) {
      throw new RangeError(`the object is encrypted with key ${encryption.keyId}, and no key is given`);
    }
    const master = await openMaster(key);
    if (master.keyId !== encryption.keyId) {
      throw new RangeError(`the object is encrypted with key ${encryption.keyId}, not ${master.keyId}`);
    }
    return new Decryption(manifest, await master.key(encryption.salt, 'fieldstone object'));
  }

  /**
   * Authenticates and decrypts a generation.
   * @param {number} generation
   * @param {Uint8Array} bytes its ciphertext and tag
   */
  async decrypt(generation, bytes) {
    const iv = new Uint8Array(12);
    new DataView(iv.buffer).setUint32(4, generation);
    iv[11] = generation === this.manifest.generations - 1 ? 1 : 0;
    try {
      return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, this.key, bytes));
    } catch {
      throw new Error(`generation ${generation} is not what the holder of the key encrypted`);
    }
  }
}
