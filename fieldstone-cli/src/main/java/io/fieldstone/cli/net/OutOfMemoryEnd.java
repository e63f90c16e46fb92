package io.fieldstone.cli.net;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.net.carrier.HeapExhaustion;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process with one line if the heap is exhausted, so that a supervisor can restart it. A
 * process that continued would have lost a connection, a thread or an answer.
 */
final class OutOfMemoryEnd implements Thread.UncaughtExceptionHandler, AutoCloseable {

  private static final int EXIT_STATUS = 1;
  private static final Logger LOGGER = System.getLogger(OutOfMemoryEnd.class.getName());

  private final Thread.@Nullable UncaughtExceptionHandler before;
  private final OutputStream err;
  private final Runnable halt;

  /** Made before the heap is exhausted. */
  private final byte[] line;

  OutOfMemoryEnd(
      Thread.@Nullable UncaughtExceptionHandler before, OutputStream err, Runnable halt) {
    this.before = before;
    this.err = err;
    this.halt = halt;
    this.line =
        (ErrorLine.failure(ErrorLine.of(new OutOfMemoryError())) + System.lineSeparator())
            .getBytes(StandardCharsets.UTF_8);
  }

  /** Makes one that is the handler of all threads until it is closed. */
  static OutOfMemoryEnd install() {
    OutOfMemoryEnd end =
        new OutOfMemoryEnd(
            Thread.getDefaultUncaughtExceptionHandler(),
            new FileOutputStream(FileDescriptor.err),
            () -> Runtime.getRuntime().halt(EXIT_STATUS));
    Thread.setDefaultUncaughtExceptionHandler(end);
    return end;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable error) {
    if (HeapExhaustion.isHeap(error)) {
      try {
        err.write(line);
      } catch (IOException _) {
        // The exit status remains.
      }
      halt.run();
    } else if (before != null) {
      before.uncaughtException(thread, error);
    } else {
      LOGGER.log(Level.WARNING, "a thread has failed: " + thread.getName(), error);
    }
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }
}
