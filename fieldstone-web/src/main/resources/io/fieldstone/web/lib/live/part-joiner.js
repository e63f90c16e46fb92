/** The maximum bytes of a packet: those of UDP. */
const MAX_PACKET_BYTES = 65_535;

/** The flags of a source: it is the first, the last part of a packet. */
const FIRST_PART = 1;
const LAST_PART = 2;

/** Joins the parts of packets. A packet with a part that is lost is dropped. */
export class PartJoiner {
  /** @param {(packet: Uint8Array) => void} output */
  constructor(output) {
    this.output = output;
    /** @type {Uint8Array[]} */
    this.parts = [];
    this.bytes = 0;
    this.isOpen = false;
  }

  /**
   * Takes the next source, with its flags.
   * @param {Uint8Array} source
   */
  add(source) {
    const part = source.subarray(1);
    const isFirst = (source[0] & FIRST_PART) !== 0;
    const isLast = (source[0] & LAST_PART) !== 0;
    if (isFirst) {
      this.isOpen = true;
      this.parts = [];
      this.bytes = 0;
    }
    if (!this.isOpen || this.bytes + part.length > MAX_PACKET_BYTES) {
      this.isOpen = false;
      return;
    }
    this.parts.push(part);
    this.bytes += part.length;
    if (isLast) {
      this.isOpen = false;
      const packet = new Uint8Array(this.bytes);
      let at = 0;
      for (const each of this.parts) {
        packet.set(each, at);
        at += each.length;
      }
      this.output(packet);
    }
  }

  /** Takes note that sources are lost. */
  gap() {
    this.isOpen = false;
  }
}
