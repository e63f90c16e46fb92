package io.fieldstone.stream.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reserves space for a file before it is written, on Linux. The system writes to a file for one
 * thread at a time, and then need not look for space. Thread-safe.
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
  private record SystemCalls(MethodHandle open, MethodHandle fallocate, MethodHandle close) {

    static Optional<SystemCalls> load() {
      // The flags of open have other values on other processors.
      boolean isKnown =
          System.getProperty("os.name").equals("Linux")
              && System.getProperty("os.arch").equals("amd64");
      return isKnown
          ? Optional.of(
              new SystemCalls(
                  CLibrary.function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)),
                  CLibrary.function(
                      "fallocate",
                      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG)),
                  CLibrary.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT))))
          : Optional.empty();
    }

    boolean reserve(Path path, long position, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment name = arena.allocateFrom(path.toString());
        int descriptor = (int) open.invokeExact(name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) {
          return false;
        }
        int status = (int) fallocate.invokeExact(descriptor, 0, position, bytes);
        int _ = (int) close.invokeExact(descriptor);
        return status == 0;
      } catch (Throwable thrown) {
        throw new AssertionError(thrown);
      }
    }
  }
}
