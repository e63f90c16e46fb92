package io.fieldstone.cpu;

import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Bytes in native memory. */
final class CpuResidentBytes implements ResidentBytes {

  private final CpuEngine engine;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  CpuResidentBytes(CpuEngine engine, long bytes) {
    this.engine = engine;
    this.memory = arena.allocate(bytes, NativeRows.ALIGNMENT);
  }

  CpuEngine engine() {
    return engine;
  }

  MemorySegment memory() {
    return memory;
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
