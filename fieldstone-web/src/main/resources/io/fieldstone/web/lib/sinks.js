/**
 * Takes the verified bytes of an object, in any order. A write is done once its promise is.
 * @typedef {object} Sink
 * @property {(offset: number, bytes: Uint8Array) => Promise<void>} write
 * @property {() => Promise<any>} close
 * @property {(reason: any) => Promise<void>} abort
 */

/** Keeps the bytes for a Blob. */
export class BlobSink {
  constructor() {
    /** @type {Map<number, Blob>} */
    this.parts = new Map();
  }

  async write(offset, bytes) {
    this.parts.set(offset, new Blob([bytes])); // a browser may keep blobs on the disk
  }

  async close() {
    const offsets = [...this.parts.keys()].sort((a, b) => a - b);
    const blob = new Blob(offsets.map((offset) => /** @type {Blob} */ (this.parts.get(offset))));
    try {
      await blob.slice(0, 1).arrayBuffer(); // a part for which there was no room spoils it
    } catch (error) {
      throw new Error(`the browser has no room for the file: ${error.message}`);
    }
    return blob;
  }

  async abort() {
    this.parts.clear();
  }
}

/** Writes at offsets of a file of the File System Access API. */
class FileSink {
  constructor(file) {
    this.file = file;
  }

  async write(offset, bytes) {
    await this.file.write({ type: 'write', position: offset, data: bytes });
  }

  async close() {
    await this.file.close();
  }

  async abort(reason) {
    await this.file.abort(reason).catch(() => {});
  }
}

/** Writes to a stream in the order of the object. */
class StreamSink {
  constructor(stream) {
    this.writer = stream.getWriter();
    this.next = 0;
    /** @type {Map<number, {bytes: Uint8Array, resolve: (value?: any) => void, reject: (error: any) => void}>} */
    this.waiting = new Map();
    this.isWriting = false;
  }

  write(offset, bytes) {
    return new Promise((resolve, reject) => {
      this.waiting.set(offset, { bytes, resolve, reject });
      this.writeNext();
    });
  }

  async writeNext() {
    if (this.isWriting) {
      return;
    }
    this.isWriting = true;
    for (let part = this.waiting.get(this.next); part !== undefined; part = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      this.next += part.bytes.length;
      try {
        await this.writer.write(part.bytes);
        part.resolve();
      } catch (error) {
        part.reject(error);
        break;
      }
    }
    this.isWriting = false;
  }

  async close() {
    await this.writer.close();
  }

  async abort(reason) {
    await this.writer.abort(reason).catch(() => {});
  }
}

/**
 * Returns the sink of a stream.
 * @param {WritableStream} stream
 */
export function sinkOf(stream) {
  const isFile = typeof FileSystemWritableFileStream !== 'undefined' && stream instanceof FileSystemWritableFileStream;
  return isFile ? new FileSink(stream) : new StreamSink(stream);
}
