package io.fieldstone.rlnc.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects what a decoder delivers. */
final class Packets implements PacketSink {

  private final SortedMap<Long, byte[]> packets = new TreeMap<>();
  private final List<Long> order = new ArrayList<>();
  private final List<String> gaps = new ArrayList<>();

  @Override
  public void packet(long id, MemorySegment packet) {
    if (packets.put(id, packet.toArray(ValueLayout.JAVA_BYTE)) != null) {
      throw new AssertionError("packet " + id + " twice");
    }
    order.add(id);
  }

  @Override
  public void gap(long first, long count) {
    gaps.add(first + "+" + count);
  }

  SortedMap<Long, byte[]> packets() {
    return packets;
  }

  /** Returns the ids in the order of delivery. */
  List<Long> order() {
    return order;
  }

  List<String> gaps() {
    return gaps;
  }
}
