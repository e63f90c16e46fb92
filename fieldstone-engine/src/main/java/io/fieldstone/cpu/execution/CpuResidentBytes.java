package io.fieldstone.cpu.execution;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/** Resident bytes in native memory. */
public final class CpuResidentBytes implements ResidentBytes {

  private final Engine engine;
  private final CountedArena arena;
  private final MemorySegment memory;

  /** Allocates zeros in an arena of their own. */
  public CpuResidentBytes(Engine engine, CountedArena arena, long bytes) {
    this.engine = engine;
    this.arena = arena;
    this.memory = arena.allocate(bytes, NativeRows.ALIGNMENT);
  }

  /**
   * Returns the memory of resident bytes.
   *
   * @throws IllegalArgumentException if they are not resident on this engine
   */
  public static MemorySegment memory(ResidentBytes bytes, Engine engine) {
    return MemoryPreconditions.requireResident(
            "bytes", bytes, CpuResidentBytes.class, own -> own.engine.equals(engine))
        .memory;
  }

  @Override
  public long byteSize() {
    return memory.byteSize();
  }

  @Override
  public void store(long offset, MemorySegment source) {
    MemorySegment.copy(source, 0, memory, offset, source.byteSize());
  }

  @Override
  public void store(long offset, ResidentBytes source, long sourceOffset, long length) {
    source.read(sourceOffset, memory.asSlice(offset, length));
  }

  @Override
  public void read(long offset, MemorySegment destination) {
    MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
