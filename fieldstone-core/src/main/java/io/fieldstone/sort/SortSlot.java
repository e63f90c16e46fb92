package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Memory in which records are read, sorted, and written from. */
final class SortSlot implements AutoCloseable {

  private final HostMemory memory;
  private long bytes;

  private SortSlot(HostMemory memory) {
    this.memory = memory;
  }

  /**
   * Slots of so many bytes, where the engine reads and writes fastest.
   *
   * @throws OutOfMemoryError if there is not so much memory
   */
  static Slots allocate(Engine engine, int count, long bytes) {
    Slots slots = new Slots(new ArrayList<>());
    try {
      for (int i = 0; i < count; i++) {
        slots.all.add(new SortSlot(engine.allocateHost(bytes)));
      }
      return slots;
    } catch (OutOfMemoryError e) {
      slots.close();
      throw e;
    }
  }

  /** All of the memory. */
  MemorySegment whole() {
    return memory.segment();
  }

  /** The records in it. */
  MemorySegment records() {
    return memory.segment().asSlice(0, bytes);
  }

  /** Says how many bytes of records are in it, from its beginning on. */
  void fill(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public void close() {
    memory.close();
  }

  /** Several, closed together. */
  record Slots(List<SortSlot> all) implements AutoCloseable {
    @Override
    public void close() {
      all.forEach(SortSlot::close);
    }
  }
}
