package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A kernel of a module, valid until the module is closed. Thread-safe. */
public final class Function {

  /** {@code CU_FUNC_ATTRIBUTE_NUM_REGS}. */
  private static final int REGISTERS = 4;

  /** {@code CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}. */
  private static final int MAX_DYNAMIC_SHARED_BYTES = 8;

  private final Module module;
  private final String name;
  private final long handle;

  Function(Module module, String name, long handle) {
    this.module = module;
    this.name = name;
    this.handle = handle;
  }

  /** Returns the name in the source. */
  public String name() {
    return name;
  }

  /**
   * Allows launches with more than the default 48 KiB of dynamic shared memory.
   *
   * @param bytes at most {@link DeviceAttribute#MAX_SHARED_BYTES_PER_BLOCK} minus the kernel's
   *     static shared memory
   * @throws CudaException if the device has less shared memory
   */
  public void allowSharedBytes(int bytes) {
    module.enter().functionSetAttribute(handle, MAX_DYNAMIC_SHARED_BYTES, bytes);
  }

  /** Returns the number of registers per thread. */
  public int registers() {
    DriverCalls calls = module.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
      calls.functionGetAttribute(out.address(), REGISTERS, handle);
      return out.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /**
   * Returns the maximum number of resident blocks per multiprocessor.
   *
   * @param blockX the threads of a block
   * @param sharedBytes the dynamic shared memory of a block
   */
  public int blocksPerMultiprocessor(int blockX, int sharedBytes) {
    DriverCalls calls = module.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
      calls.occupancy(out.address(), handle, blockX, sharedBytes);
      return out.get(ValueLayout.JAVA_INT, 0);
    }
  }

  Context context() {
    return module.context();
  }

  long handle() {
    module.requireOpen();
    return handle;
  }
}
