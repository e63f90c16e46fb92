package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Kernels that are loaded onto a device. Thread-safe. */
@SuppressWarnings("JavaLangClash") // CUDA's term, unrelated to Java modules
public final class Module extends Resource {

  private final long handle;

  Module(Context context, long handle) {
    super(context);
    this.handle = handle;
  }

  /**
   * Returns the kernel with a name.
   *
   * @throws IllegalArgumentException if the module has no such kernel
   * @throws CudaException if the driver reports an error
   */
  public Function function(String name) {
    DriverCalls calls = enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment text = arena.allocateFrom(name);
      if (!calls.moduleGetFunction(out.address(), handle, text.address())) {
        throw new IllegalArgumentException("the module has no kernel " + name);
      }
      return new Function(this, name, out.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Override
  void free(DriverCalls calls) {
    calls.moduleUnload(handle);
  }
}
