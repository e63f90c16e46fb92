package io.fieldstone.cli;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Streams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/**
 * Prints the library's log records as lines on standard error: warnings always, other records with
 * {@code --verbose}. The JDK makes it, by its name, when the first record is logged: most commands
 * log none, and loading the logging system opens every jar.
 */
public final class Log extends Handler {

  /** The system property with the level of the library's records. */
  private static final String LEVEL = "fieldstone.log.level";

  private final PrintStream err = Streams.system().err();

  /** Makes a handler, which the JDK does. */
  public Log() {
    setFormatter(new SimpleFormatter());
  }

  /** Sends all log records of this JVM to standard error. Call before the first record. */
  static void prepare(boolean isVerbose) {
    System.setProperty(LEVEL, (isVerbose ? Level.FINE : Level.WARNING).getName());
    System.setProperty("java.util.logging.config.class", Configuration.class.getName());
  }

  /** Configures the logging system, which makes it at its start. */
  public static final class Configuration {

    /**
     * Configures the logging system.
     *
     * @throws IOException never: the configuration is in memory
     */
    public Configuration() throws IOException {
      String settings =
          """
          handlers=%s
          .level=WARNING
          io.fieldstone.level=%s
          """
              .formatted(Log.class.getName(), System.getProperty(LEVEL, Level.WARNING.getName()));
      LogManager.getLogManager()
          .readConfiguration(
              new ByteArrayInputStream(settings.getBytes(StandardCharsets.ISO_8859_1)));
    }
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
