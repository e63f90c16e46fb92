package io.fieldstone.engine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
  private static final int MADV_DONTNEED = 4;
  private static final int MADV_HUGEPAGE = 14;

  /** The largest size of ordinary pages on any processor. */
  private static final long MAX_PAGE = 64 << 10;

  /** The bytes of a large page of x86-64 and of AArch64 with pages of 4 KiB. */
  private static final long LARGE_PAGE = 2 << 20;

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

  /**
   * Allocates memory that contains zeros, of large pages where the system has them.
   *
   * @param arena frees the memory when it is closed
   * @return the memory, aligned to large pages; empty on systems other than Linux
   * @throws OutOfMemoryError if there is not enough memory
   */
  public static Optional<MemorySegment> allocateLarge(long bytes, Arena arena) {
    return Holder.SYSTEM.map(system -> system.mapLarge(bytes, arena));
  }

  /**
   * Returns the pages between two offsets of allocated memory to the system, which clears them
   * again on the next access. A page that lies partly outside stays. Memory of an arena stays.
   *
   * @param memory from {@link #allocate}, alive
   */
  public static void release(MemorySegment memory, long from, long to) {
    if (memory.byteSize() >= MIN_BYTES) {
      Holder.SYSTEM.ifPresent(system -> system.release(memory, from, to));
    }
  }

  /** Loads the functions when large memory is first needed. */
  private static final class Holder {
    static final Optional<SystemCalls> SYSTEM = SystemCalls.load();
  }

  /**
   * Functions of the C library.
   *
   * @param mmap {@code void *(void *, size_t, int, int, int, off_t)}
   * @param munmap {@code int (void *, size_t)}
   * @param madvise {@code int (void *, size_t, int)}
   */
  private record SystemCalls(MemorySegment mmap, MemorySegment munmap, MemorySegment madvise) {

    static Optional<SystemCalls> load() {
      boolean isLinux = System.getProperty("os.name").equals("Linux");
      return isLinux && !NativeAccess.isDenied()
          ? Optional.of(
              new SystemCalls(
                  CLibrary.find("mmap"), CLibrary.find("munmap"), CLibrary.find("madvise")))
          : Optional.empty();
    }

    MemorySegment map(long bytes, Arena arena) {
      long address = mmap(bytes);
      if (address == MAP_FAILED) {
        throw new OutOfMemoryError("%d bytes cannot be mapped".formatted(bytes));
      }
      MemorySegment pages =
          MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> unmap(address, bytes));
      return arena instanceof CountedArena counted ? counted.withCalls(pages) : pages;
    }

    MemorySegment mapLarge(long bytes, Arena arena) {
      MemorySegment pages = map(bytes + LARGE_PAGE, arena);
      MemorySegment aligned = pages.asSlice(-pages.address() & (LARGE_PAGE - 1), bytes);
      // Without large pages the memory is as good, but slower to touch.
      long _ = NativeCall.call(madvise, aligned.address(), bytes, MADV_HUGEPAGE);
      return aligned;
    }

    void release(MemorySegment memory, long from, long to) {
      long first = (memory.address() + from + MAX_PAGE - 1) & -MAX_PAGE;
      long end = (memory.address() + to) & -MAX_PAGE;
      if (first < end) {
        // If it fails, the pages are returned with the rest.
        long _ = NativeCall.call(madvise, first, end - first, MADV_DONTNEED);
      }
    }

    private long mmap(long bytes) {
      int protection = PROT_READ | PROT_WRITE;
      int flags = MAP_PRIVATE | MAP_ANONYMOUS;
      return NativeCall.call(mmap, 0, bytes, protection, flags, -1, 0);
    }

    private void unmap(long address, long bytes) {
      long _ = NativeCall.call(munmap, address, bytes);
    }
  }
}
