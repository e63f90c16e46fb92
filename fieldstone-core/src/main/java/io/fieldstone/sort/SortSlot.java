package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.HostMemory;
import java.io.IOException;
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
   * @throws IOException if there is not so much memory
   */
  static Slots allocate(Engine engine, int count, long bytes) throws IOException {
    Slots slots = new Slots(new ArrayList<>());
    try {
      for (int i = 0; i < count; i++) {
        slots.all.add(new SortSlot(engine.allocateHost(bytes)));
      }
      return slots;
    } catch (OutOfMemoryError e) {
      slots.close();
      throw new IOException(
          "not enough native memory for %d times %d bytes (-XX:MaxDirectMemorySize): %s"
              .formatted(count, bytes, e.getMessage()),
          e);
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
