package io.fieldstone.cli;

import io.fieldstone.cli.console.ErrorLine;
import java.io.PrintStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Prints the library's log records as lines on standard error: warnings always, other records with
 * {@code --verbose}.
 */
final class Log extends Handler {

  /** A strong reference: the JVM holds loggers weakly, and a collected logger loses its level. */
  private static final Logger LIBRARY = Logger.getLogger("io.fieldstone");

  private final PrintStream err;

  private Log(PrintStream err) {
    this.err = err;
    setFormatter(new SimpleFormatter());
  }

  /** Sends all log records of this JVM to {@code err}. Call once per process. */
  static void to(PrintStream err, boolean isVerbose) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    root.addHandler(new Log(err));
    LIBRARY.setLevel(isVerbose ? Level.FINE : Level.WARNING);
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      String message = getFormatter().formatMessage(entry);
      boolean isWarning = entry.getLevel().intValue() >= Level.WARNING.intValue();
      err.println(isWarning ? ErrorLine.warning(message) : ErrorLine.oneLine(message));
    }
  }

  @Override
  public void flush() {
    err.flush();
  }

  @Override
  public void close() {}
}
