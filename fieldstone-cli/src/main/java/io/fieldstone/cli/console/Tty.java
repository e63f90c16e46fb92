package io.fieldstone.cli.console;

import io.fieldstone.engine.memory.NativeCall;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;

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
    SymbolLookup library = Linker.nativeLinker().defaultLookup();
    return library
        .find("isatty")
        .or(() -> library.find("_isatty"))
        .map(function -> (int) NativeCall.call(function, descriptor) != 0)
        .orElse(false);
  }
}
