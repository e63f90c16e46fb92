package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The datagrams between senders and receivers (docs/format.md, "Packets"): data packets and
 * reports. The alias in each names the object; the two ends of a connection agree on it.
 */
public final class Packet {

  /** The exclusive bound of aliases. */
  public static final int MAX_ALIASES = 1 << 14;

  /** The maximum bytes before the vector or the payload of a data packet. */
  public static final int MAX_HEADER_BYTES = 15;

  /** The exclusive bound of the indices of seeded blocks, so that one takes at most 4 bytes. */
  static final int MAX_INDICES = 1 << 30;

  static final int SOURCE = 0;
  static final int SEEDED = 1;
  static final int EXPLICIT = 2;
  static final int REPORT = 3;

  /** The flag of a block of a generation that its sender has not verified. */
  static final int UNVERIFIED = 4;

  private static final int KIND_MASK = 3;
  private static final int VALID_MASK = KIND_MASK | UNVERIFIED;

  private Packet() {}

  /** Returns true if a datagram is a report; false for data, or an empty datagram. */
  public static boolean isReport(MemorySegment packet) {
    return packet.byteSize() > 0 && (packet.get(ValueLayout.JAVA_BYTE, 0) & KIND_MASK) == REPORT;
  }

  /**
   * Returns the alias of the object that a packet or a report is about.
   *
   * @throws MalformedDataException if the datagram has no valid alias
   */
  public static int alias(MemorySegment packet) throws MalformedDataException {
    VarintReader reader = new VarintReader();
    reader.start(packet);
    readKind(reader);
    return reader.readVarint("alias", MAX_ALIASES);
  }

  /** Reads the first byte of a packet: its kind and flag. */
  static int readKind(VarintReader reader) throws MalformedDataException {
    int kind = reader.readByte();
    if ((kind & ~VALID_MASK) != 0 || kind == (REPORT | UNVERIFIED)) {
      throw new MalformedDataException(0, "unknown kind of packet 0x%02x".formatted(kind));
    }
    return kind;
  }

  /** Writes a header up to the generation. */
  static void writeHeader(VarintWriter writer, int kind, int alias, int sequence, int generation) {
    writer.writeByte(kind);
    writer.writeVarint(alias);
    writer.writeInt(sequence);
    writer.writeVarint(generation);
  }

  /** Checks an alias. */
  static int requireAlias(int alias) {
    if (alias < 0 || alias >= MAX_ALIASES) {
      throw new IllegalArgumentException(
          "alias %d is not in 0…%d".formatted(alias, MAX_ALIASES - 1));
    }
    return alias;
  }

  /** Returns the bytes of the largest packet of blocks of k bytes with vectors of n bytes. */
  static int maxBytes(int vectorBytes, int blockSize) {
    return MAX_HEADER_BYTES + vectorBytes + blockSize;
  }

  /** The header of a data packet, filled again for each packet. */
  static final class Header {
    private final VarintReader reader = new VarintReader();
    int kind;
    boolean isUnverified;
    int sequence;
    int generation;
    int index;

    /** The offset of the vector, or of the payload without one. */
    long bodyAt;

    /** Reads the header of a data packet; checks the generation and the index against bounds. */
    void read(MemorySegment packet, int generations) throws MalformedDataException {
      reader.start(packet);
      int first = readKind(reader);
      kind = first & KIND_MASK;
      isUnverified = (first & UNVERIFIED) != 0;
      if (kind == REPORT) {
        throw new MalformedDataException(0, "a report where a data packet is expected");
      }
      reader.readVarint("alias", MAX_ALIASES);
      sequence = reader.readInt();
      generation = reader.readVarint("generation", generations);
      index = kind == EXPLICIT ? 0 : reader.readVarint("index", MAX_INDICES);
      bodyAt = reader.position();
    }

    /** Checks that the body has a number of bytes. */
    void requireBody(MemorySegment packet, long bytes) throws MalformedDataException {
      if (packet.byteSize() - bodyAt != bytes) {
        throw new MalformedDataException(
            bodyAt,
            "%d bytes after the header, not %d".formatted(packet.byteSize() - bodyAt, bytes));
      }
    }
  }
}
