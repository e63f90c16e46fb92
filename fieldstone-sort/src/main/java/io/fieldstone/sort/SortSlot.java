package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A buffer in which records are read, sorted, and from which they are written. */
final class SortSlot implements AutoCloseable {

  private final HostMemory memory;
  private long bytes;

  private SortSlot(HostMemory memory) {
    this.memory = memory;
  }

  /**
   * Allocates {@code count} slots of {@code bytes} bytes in the memory that the engine transfers
   * fastest.
   *
   * @throws OutOfMemoryError if there is not enough memory
   */
  static Slots allocate(Engine engine, int count, long bytes) {
    Slots slots = new Slots(new ArrayList<>());
    for (int i = 0; i < count; i++) {
      slots.all.add(new SortSlot(Allocations.next(() -> engine.allocateHost(bytes), slots::close)));
    }
    return slots;
  }

  /** Returns the whole buffer. */
  MemorySegment whole() {
    return memory.segment();
  }

  /** Returns the records in the buffer. */
  MemorySegment records() {
    return memory.segment().asSlice(0, bytes);
  }

  /** Sets the bytes of records in the buffer, from its start. */
  void fill(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public void close() {
    memory.close();
  }

  /** Slots that are closed together. */
  record Slots(List<SortSlot> all) implements AutoCloseable {
    @Override
    public void close() {
      all.forEach(SortSlot::close);
    }
  }
}
