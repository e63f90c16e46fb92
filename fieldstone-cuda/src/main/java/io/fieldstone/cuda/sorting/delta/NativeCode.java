package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.CLibrary;
import io.fieldstone.engine.memory.CpuInfo;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Loads functions of machine code, for instructions that the JVM does not emit, on Linux on x86-64.
 * Each function has its own page, which is read-only once written and never freed. Thread-safe.
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
   * Loads a function of the System V ABI.
   *
   * @param code in hexadecimal digits
   * @param flags CPU flags that the code needs, as Linux names them
   * @return its address; empty on other systems or CPUs, or if no page can be allocated
   */
  static Optional<MemorySegment> load(String code, List<String> flags) {
    return hasAll(flags) ? mapPage(HexFormat.of().parseHex(code)) : Optional.empty();
  }

  /**
   * Returns a handle that takes the address of a function and its arguments.
   *
   * @param descriptor of a short function that neither blocks nor calls back into the JVM
   */
  static MethodHandle caller(FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(descriptor, Linker.Option.critical(false));
  }

  private static boolean hasAll(List<String> flags) {
    boolean isSupported =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    return isSupported && CpuInfo.current().flags().containsAll(flags);
  }

  private static Optional<MemorySegment> mapPage(byte[] code) {
    try {
      long page =
          (long)
              CLibrary.function("mmap", MMAP)
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
      MemorySegment function = MemorySegment.ofAddress(page).reinterpret(code.length);
      function.copyFrom(MemorySegment.ofArray(code));
      int status =
          (int)
              CLibrary.function("mprotect", MPROTECT)
                  .invokeExact(page, (long) code.length, PROT_READ | PROT_EXEC);
      return status == 0 ? Optional.of(function) : Optional.empty();
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  /** Wraps a throwable; native functions with primitive arguments throw none. */
  static AssertionError unexpected(Throwable thrown) {
    return new AssertionError(thrown);
  }
}
