package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.CpuInfo;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Functions in machine code, for instructions that the JVM has no way to: of Linux on x86-64, each
 * in a page of its own, which is not written to any more, for as long as the JVM lives.
 * Thread-safe.
 */
final class NativeCode {

  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int PROT_EXEC = 4;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final long MAP_FAILED = -1;

  private static final FunctionDescriptor MMAP =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final FunctionDescriptor MPROTECT =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  private NativeCode() {}

  /**
   * Makes a function of System V's ABI.
   *
   * @param code in hexadecimal digits
   * @param flags that the processor must have, as Linux calls them
   * @return its address; nothing where this is not Linux on such a processor, or no page is to be
   *     had
   */
  static Optional<MemorySegment> load(String code, List<String> flags) {
    return hasAll(flags) ? page(HexFormat.of().parseHex(code)) : Optional.empty();
  }

  /**
   * A handle that takes the address of a function, and its arguments.
   *
   * @param shape of a function that neither waits nor calls back: the JVM is not told of the call
   */
  static MethodHandle caller(FunctionDescriptor shape) {
    return Linker.nativeLinker().downcallHandle(shape, Linker.Option.critical(false));
  }

  private static boolean hasAll(List<String> flags) {
    boolean isKnown =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    return isKnown && CpuInfo.current().flags().containsAll(flags);
  }

  private static Optional<MemorySegment> page(byte[] code) {
    try {
      long page =
          (long)
              system("mmap", MMAP)
                  .invokeExact(
                      0L,
                      (long) code.length,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0L);
      if (page == MAP_FAILED) {
        return Optional.empty();
      }
      MemorySegment there = MemorySegment.ofAddress(page).reinterpret(code.length);
      there.copyFrom(MemorySegment.ofArray(code));
      int failed =
          (int)
              system("mprotect", MPROTECT)
                  .invokeExact(page, (long) code.length, PROT_READ | PROT_EXEC);
      return failed == 0 ? Optional.of(there) : Optional.empty();
    } catch (Throwable thrown) {
      throw impossible(thrown);
    }
  }

  private static MethodHandle system(String name, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
  }

  /** Such functions throw nothing, and arguments of primitive types cannot be wrong. */
  static AssertionError impossible(Throwable thrown) {
    return new AssertionError(thrown);
  }
}
