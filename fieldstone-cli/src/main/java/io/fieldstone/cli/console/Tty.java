package io.fieldstone.cli.console;

import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.memory.NativeCall;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Tests whether a stream is a terminal. */
@FunctionalInterface
public interface Tty {

  /** The request of ioctl(2) for rows, columns and two sizes in pixels, on Linux. */
  int TIOCGWINSZ = 0x5413;

  int WINSIZE_SHORTS = 4;

  int USUAL_COLUMNS = 80;

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
    SymbolLookup library = Linker.nativeLinker().defaultLookup();
    return library
        .find("isatty")
        .or(() -> library.find("_isatty"))
        .filter(_ -> !NativeAccess.isDenied())
        .map(function -> (int) NativeCall.call(function, descriptor) != 0)
        .orElse(false);
  }

  /** Returns the present width of the terminal on standard error, or a usual one. */
  static int columns() {
    // Apple passes the third argument of ioctl(2) on the stack.
    Optional<MemorySegment> ioctl =
        System.getProperty("os.name").equals("Linux") && !NativeAccess.isDenied()
            ? Linker.nativeLinker().defaultLookup().find("ioctl")
            : Optional.empty();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, WINSIZE_SHORTS);
      ioctl.ifPresent(function -> NativeCall.call(function, 2, TIOCGWINSZ, size.address()));
      int columns = Short.toUnsignedInt(size.getAtIndex(ValueLayout.JAVA_SHORT, 1));
      return columns > 0 ? columns : USUAL_COLUMNS;
    }
  }
}
