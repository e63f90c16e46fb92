package io.fieldstone.stream;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The native buffers of a job, in the memory that its engine transfers fastest, and its bases;
 * freed together.
 */
public final class NativeMemory implements AutoCloseable {

  private final Engine engine;
  private final List<Runnable> frees = new ArrayList<>();

  /** Creates memory without buffers. */
  public NativeMemory(Engine engine) {
    this.engine = engine;
  }

  /**
   * Allocates zeroed memory.
   *
   * @throws IOException if there is not enough memory for the shape
   */
  public MemorySegment allocate(long bytes) throws IOException {
    HostMemory buffer = reserve(() -> engine.allocateHost(bytes));
    frees.add(buffer::close);
    return buffer.segment();
  }

  /**
   * Makes a basis of vectors.
   *
   * @throws IOException if there is not enough memory
   */
  public Basis basis(Gf256 field, int columns) throws IOException {
    Basis basis = reserve(() -> engine.eliminations().basis(field, columns));
    frees.add(basis::close);
    return basis;
  }

  /**
   * Calls a constructor that allocates native memory.
   *
   * @throws IOException if there is not enough memory
   */
  public static <T> T reserve(Supplier<T> constructor) throws IOException {
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
    frees.forEach(Runnable::run);
  }
}
