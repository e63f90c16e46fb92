package io.fieldstone.cli.console;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Tests whether a stream is a terminal. */
@FunctionalInterface
public interface Tty {

  /** Tests standard error of this process. */
  Tty STANDARD_ERROR = () -> isatty(2);

  /** Always false. */
  Tty NONE = () -> false;

  boolean isTerminal();

  /**
   * Calls isatty(3). {@link System#console()} tests standard input and output, but the progress bar
   * is on standard error, which may be a terminal when output goes into a pipe.
   */
  private static boolean isatty(int descriptor) {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> function =
        linker.defaultLookup().find("isatty").or(() -> linker.defaultLookup().find("_isatty"));
    if (function.isEmpty()) {
      return false;
    }
    try {
      return (int)
              linker
                  .downcallHandle(
                      function.orElseThrow(),
                      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                  .invokeExact(descriptor)
          != 0;
    } catch (Throwable e) { // declared by invokeExact
      return false;
    }
  }
}
