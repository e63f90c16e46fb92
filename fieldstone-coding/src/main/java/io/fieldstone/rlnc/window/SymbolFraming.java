package io.fieldstone.rlnc.window;

/** How a packet fills a symbol, which is what the code combines. */
public enum SymbolFraming {

  /**
   * The symbol is the length of the packet in two bytes, big-endian, then the packet, then zeros. A
   * solved symbol that is not of this form is not delivered.
   */
  LENGTH(2),

  /** The symbol is the packet, then zeros. All bytes of the symbol are delivered. */
  NONE(0);

  private final int headerBytes;

  SymbolFraming(int headerBytes) {
    this.headerBytes = headerBytes;
  }

  /** Returns the bytes of a symbol before the packet. */
  int headerBytes() {
    return headerBytes;
  }
}
