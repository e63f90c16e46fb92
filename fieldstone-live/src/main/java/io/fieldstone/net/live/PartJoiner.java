package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/** Joins the parts of packets. A packet with a part that is lost is dropped. For one thread. */
final class PartJoiner {

  /** The maximum bytes of a packet: those of UDP. */
  static final int MAX_PACKET_BYTES = 65_535;

  private final Consumer<MemorySegment> output;

  /** The parts so far; allocated once a packet has several. */
  private byte[] parts = {};

  private int length;
  private boolean isOpen;

  PartJoiner(Consumer<MemorySegment> output) {
    this.output = output;
  }

  /** Takes the next part: a source with its flags. */
  void add(MemorySegment source) {
    int flags = source.get(ValueLayout.JAVA_BYTE, 0);
    MemorySegment part = source.asSlice(1);
    boolean isFirst = (flags & LivePacket.FIRST_PART) != 0;
    boolean isLast = (flags & LivePacket.LAST_PART) != 0;
    if (isFirst && isLast) {
      isOpen = false;
      output.accept(part);
      return;
    }
    if (isFirst) {
      isOpen = true;
      length = 0;
    }
    if (!isOpen || length + part.byteSize() > MAX_PACKET_BYTES) {
      isOpen = false;
      return;
    }
    if (parts.length == 0) {
      parts = new byte[MAX_PACKET_BYTES];
    }
    MemorySegment.copy(part, 0, MemorySegment.ofArray(parts), length, part.byteSize());
    length += (int) part.byteSize();
    if (isLast) {
      isOpen = false;
      output.accept(MemorySegment.ofArray(parts).asSlice(0, length));
    }
  }

  /** Takes note that parts are lost. */
  void gap() {
    isOpen = false;
  }
}
