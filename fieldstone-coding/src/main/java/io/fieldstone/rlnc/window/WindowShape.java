package io.fieldstone.rlnc.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The size of symbols and of the window of an encoder, a decoder or a recoder.
 *
 * <p>Symbols and framing are the same at all of them. The window of a decoder is at least that of
 * the encoder, plus the packets by which the path may reorder: a repair symbol over a packet that
 * has left the window is useless.
 *
 * <p>Immutable and thread-safe.
 *
 * @param symbolBytes the bytes E of a symbol, 3 … 65537 with framing, 1 … 65535 without
 * @param window the maximum number of source packets held, 1 … {@value WindowCode#MAX_COUNT}
 * @param framing how a packet fills a symbol
 */
public record WindowShape(int symbolBytes, int window, SymbolFraming framing) {

  /** The largest packet in bytes: its length has 16 bits. */
  public static final int MAX_PACKET_BYTES = 0xFFFF;

  /** The largest id of a source packet. */
  public static final long MAX_ID = 1L << 62;

  private static final ValueLayout.OfShort LENGTH =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** Checks the sizes. */
  public WindowShape {
    int header = framing.headerBytes();
    requireIn("size of a symbol", symbolBytes, header + 1, header + MAX_PACKET_BYTES);
    requireIn("window", window, 1, WindowCode.MAX_COUNT);
  }

  /**
   * Returns the shape for packets of 1 … {@code largestPacket} bytes, whose length is part of the
   * symbol.
   *
   * @throws IllegalArgumentException if a size is out of range
   */
  public static WindowShape of(int largestPacket, int window) {
    requireIn("largest packet", largestPacket, 1, MAX_PACKET_BYTES);
    SymbolFraming framing = SymbolFraming.LENGTH;
    return new WindowShape(largestPacket + framing.headerBytes(), window, framing);
  }

  /** Returns the bytes of the largest packet. */
  public int largestPacket() {
    return symbolBytes - framing.headerBytes();
  }

  /** Writes the symbol of a packet. */
  void frame(MemorySegment packet, MemorySegment symbol) {
    int header = framing.headerBytes();
    int length = (int) packet.byteSize();
    if (framing == SymbolFraming.LENGTH) {
      symbol.set(LENGTH, 0, (short) length);
    }
    MemorySegment.copy(packet, 0, symbol, header, length);
    symbol.asSlice(header + length).fill((byte) 0);
  }

  /** Returns the packet of a symbol of this framing, as a view. */
  MemorySegment packet(MemorySegment symbol) {
    return framing == SymbolFraming.LENGTH ? symbol.asSlice(2, length(symbol)) : symbol;
  }

  /** Returns whether {@link #frame} can have made a symbol. */
  boolean isFramed(MemorySegment symbol) {
    if (framing == SymbolFraming.NONE) {
      return true;
    }
    int length = length(symbol);
    return length >= 1
        && length <= largestPacket()
        && isZero(symbol, framing.headerBytes() + length, symbolBytes);
  }

  /** Returns whether a symbol is that of a packet. */
  boolean agrees(MemorySegment symbol, MemorySegment packet) {
    int header = framing.headerBytes();
    long end = header + packet.byteSize();
    return (framing == SymbolFraming.NONE || length(symbol) == packet.byteSize())
        && MemorySegment.mismatch(symbol, header, end, packet, 0, packet.byteSize()) < 0
        && isZero(symbol, end, symbolBytes);
  }

  private static int length(MemorySegment symbol) {
    return Short.toUnsignedInt(symbol.get(LENGTH, 0));
  }

  private static boolean isZero(MemorySegment symbol, long from, long to) {
    long at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      if (symbol.get(WORD, at) != 0) {
        return false;
      }
    }
    for (; at < to; at++) {
      if (symbol.get(ValueLayout.JAVA_BYTE, at) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Checks the length of a packet. */
  void requirePacket(MemorySegment packet) {
    if (packet.byteSize() < 1 || packet.byteSize() > largestPacket()) {
      throw new IllegalArgumentException(
          "a packet of %d bytes is not of 1…%d".formatted(packet.byteSize(), largestPacket()));
    }
  }

  /** Checks the length of a symbol. */
  void requireSymbol(MemorySegment symbol) {
    if (symbol.byteSize() != symbolBytes) {
      throw new IllegalArgumentException(
          "a symbol of %d bytes, expected %d".formatted(symbol.byteSize(), symbolBytes));
    }
  }

  /** Checks a range of ids. */
  static void requireIds(long first, long count) {
    if (first < 0 || first > MAX_ID || count < 1 || count > WindowCode.MAX_COUNT) {
      throw new IllegalArgumentException(
          "%d source packets from id %d are not 1…%d from 0…%d"
              .formatted(count, first, WindowCode.MAX_COUNT, MAX_ID));
    }
  }

  private static void requireIn(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }
}
