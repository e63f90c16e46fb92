package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.memory.HostMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The buffers of one job, outside the heap, where its engine reads and writes fastest; freed
 * together.
 */
final class NativeMemory implements AutoCloseable {

  private final Engine engine;
  private final List<HostMemory> buffers = new ArrayList<>();

  NativeMemory(Engine engine) {
    this.engine = engine;
  }

  /**
   * Zeroed bytes.
   *
   * @throws IOException if there is no such memory; a shape can ask for too much
   */
  MemorySegment allocate(long bytes) throws IOException {
    HostMemory buffer = reserve(() -> engine.allocateHost(bytes));
    buffers.add(buffer);
    return buffer.segment();
  }

  /**
   * Makes something that reserves memory outside the heap.
   *
   * @throws IOException if there is no such memory
   */
  static <T> T reserve(Supplier<T> constructor) throws IOException {
    try {
      return constructor.get();
    } catch (EngineMemoryError e) {
      throw new IOException(e.getMessage(), e);
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "not enough native memory for generations of this size (-XX:MaxDirectMemorySize): "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    buffers.forEach(HostMemory::close);
  }
}
