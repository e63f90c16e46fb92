package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Allocates large native memory whose pages the system clears on first access, in the thread that
 * accesses them, on Linux. An arena clears all memory at once in the calling thread, which takes
 * longer than reading a file of that size. Other systems, and small memory, use the arena.
 *
 * <p>Pages have the size that the system chooses. Asking for pages of 2 MiB saved a tenth of a sort
 * where they were ready. In a virtual machine that returns free memory to its host, it doubled the
 * time: the host has to provide such pages again.
 *
 * <p>Thread-safe.
 */
public final class FreshPages {

  /** The minimum bytes: less is cleared faster than it is mapped. */
  private static final long MIN_BYTES = 1 << 20;

  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final long MAP_FAILED = -1;

  private FreshPages() {}

  /**
   * Allocates memory that contains zeros.
   *
   * @param alignment in bytes, at most 4096
   * @param arena frees the memory when it is closed
   * @throws OutOfMemoryError if there is not enough memory
   */
  public static MemorySegment allocate(long bytes, long alignment, Arena arena) {
    return bytes < MIN_BYTES
        ? arena.allocate(bytes, alignment)
        : Holder.SYSTEM
            .map(system -> system.map(bytes, arena))
            .orElseGet(() -> arena.allocate(bytes, alignment));
  }

  /** Loads the functions when large memory is first needed. */
  private static final class Holder {
    static final Optional<SystemCalls> SYSTEM = SystemCalls.load();
  }

  /**
   * Functions of the C library.
   *
   * @param mmap {@code long (long, long, int, int, int, long)}
   * @param munmap {@code int (long, long)}
   */
  private record SystemCalls(MethodHandle mmap, MethodHandle munmap) {

    static Optional<SystemCalls> load() {
      boolean isLinux = System.getProperty("os.name").equals("Linux");
      return isLinux
          ? Optional.of(
              new SystemCalls(
                  CLibrary.function(
                      "mmap",
                      FunctionDescriptor.of(
                          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                          JAVA_LONG)),
                  CLibrary.function(
                      "munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG))))
          : Optional.empty();
    }

    MemorySegment map(long bytes, Arena arena) {
      long address = mmap(bytes);
      if (address == MAP_FAILED) {
        throw new OutOfMemoryError("%d bytes cannot be mapped".formatted(bytes));
      }
      return MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> unmap(address, bytes));
    }

    private long mmap(long bytes) {
      int protection = PROT_READ | PROT_WRITE;
      int flags = MAP_PRIVATE | MAP_ANONYMOUS;
      try {
        return (long) mmap.invokeExact(0L, bytes, protection, flags, -1, 0L);
      } catch (Throwable thrown) {
        throw unexpected(thrown);
      }
    }

    private void unmap(long address, long bytes) {
      try {
        int _ = (int) munmap.invokeExact(address, bytes);
      } catch (Throwable thrown) {
        throw unexpected(thrown);
      }
    }

    /** Wraps a throwable; native functions with primitive arguments throw none. */
    private static AssertionError unexpected(Throwable thrown) {
      return new AssertionError(thrown);
    }
  }
}
