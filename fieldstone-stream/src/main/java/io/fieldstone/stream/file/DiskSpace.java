package io.fieldstone.stream.file;

import io.fieldstone.engine.memory.CLibrary;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.memory.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reserves space for a file before it is written, on Linux. The system writes to a file for one
 * thread at a time, and then need not search for space. Thread-safe.
 */
final class DiskSpace {

  private static final int O_WRONLY = 1;
  private static final int O_NOFOLLOW = 0x20000;
  private static final int O_CLOEXEC = 0x80000;

  private DiskSpace() {}

  /**
   * Reserves space in an existing file, which then has at least {@code position + bytes} bytes; new
   * bytes are zero. Has no effect if the system, the file system or the disk cannot do that.
   *
   * @return true if the space is reserved
   */
  static boolean reserve(Path file, long position, long bytes) {
    return file.getFileSystem().equals(FileSystems.getDefault())
        && Holder.SYSTEM.map(system -> system.reserve(file, position, bytes)).orElse(false);
  }

  /** Loads the functions when space is first reserved. */
  private static final class Holder {
    static final Optional<SystemCalls> SYSTEM = SystemCalls.load();
  }

  /**
   * Functions of the C library.
   *
   * @param open {@code int (char *, int)}
   * @param fallocate {@code int (int, int, long, long)}
   * @param close {@code int (int)}
   */
  private record SystemCalls(MemorySegment open, MemorySegment fallocate, MemorySegment close) {

    static Optional<SystemCalls> load() {
      // The flags of open have other values on other processors.
      boolean isKnown =
          System.getProperty("os.name").equals("Linux")
              && System.getProperty("os.arch").equals("amd64")
              && !NativeAccess.isDenied();
      return isKnown
          ? Optional.of(
              new SystemCalls(
                  CLibrary.find("open"), CLibrary.find("fallocate"), CLibrary.find("close")))
          : Optional.empty();
    }

    boolean reserve(Path path, long position, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        long name = arena.allocateFrom(path.toString()).address();
        int descriptor = (int) NativeCall.call(open, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) {
          return false;
        }
        int status = (int) NativeCall.call(fallocate, descriptor, 0, position, bytes);
        long _ = NativeCall.call(close, descriptor);
        return status == 0;
      }
    }
  }
}
