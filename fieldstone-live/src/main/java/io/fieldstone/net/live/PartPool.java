package io.fieldstone.net.live;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Joins the parts of packets that come in any order. Keeps the latest {@value #SLOTS} parts, so
 * that a packet whose parts are further apart is dropped. For one thread.
 */
final class PartPool {

  private static final int SLOTS = 1 << 10;

  private static final byte[] NONE = {};

  private final Consumer<MemorySegment> output;
  private final byte[][] parts = new byte[SLOTS][];
  private final long[] ids = new long[SLOTS];

  PartPool(Consumer<MemorySegment> output) {
    this.output = output;
    Arrays.fill(parts, NONE);
  }

  /** Takes a source with its flags; no id comes twice. */
  void add(long id, MemorySegment source) {
    int flags = source.get(ValueLayout.JAVA_BYTE, 0);
    if (flags == (LivePacket.FIRST_PART | LivePacket.LAST_PART)) {
      output.accept(source.asSlice(1));
      return;
    }
    parts[slot(id)] = source.toArray(ValueLayout.JAVA_BYTE);
    ids[slot(id)] = id;
    long first = id;
    while (isHeld(first) && (flags(first) & LivePacket.FIRST_PART) == 0) {
      first--;
    }
    long last = id;
    while (isHeld(last) && (flags(last) & LivePacket.LAST_PART) == 0) {
      last++;
    }
    if (isHeld(first) && isHeld(last)) {
      join(first, last);
    }
  }

  private void join(long first, long last) {
    int length = 0;
    for (long id = first; id <= last; id++) {
      length += parts[slot(id)].length - 1;
    }
    byte[] packet = new byte[length];
    int at = 0;
    for (long id = first; id <= last; id++) {
      byte[] part = parts[slot(id)];
      System.arraycopy(part, 1, packet, at, part.length - 1);
      at += part.length - 1;
      parts[slot(id)] = NONE;
    }
    if (length > 0 && length <= PartJoiner.MAX_PACKET_BYTES) {
      output.accept(MemorySegment.ofArray(packet));
    }
  }

  private boolean isHeld(long id) {
    return id >= 0 && ids[slot(id)] == id && parts[slot(id)].length > 0;
  }

  private int flags(long id) {
    return parts[slot(id)][0];
  }

  private static int slot(long id) {
    return (int) (id % SLOTS);
  }
}
