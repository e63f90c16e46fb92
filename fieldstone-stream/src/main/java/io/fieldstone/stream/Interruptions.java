package io.fieldstone.stream;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;

/**
 * Reports an interruption of a job in one way. If the thread that reads or writes a file is
 * interrupted, the file is closed, and the exception is an {@link IOException}. Thread-safe.
 */
public final class Interruptions {

  /**
   * A job on files.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Job<T> {
    /** Runs the job. */
    T run() throws IOException, InterruptedException;
  }

  private Interruptions() {}

  /**
   * Runs a job on the calling thread.
   *
   * @return its result
   * @throws IOException as the job throws it, if not because of an interruption
   * @throws InterruptedException if the calling thread is interrupted; its status is then clear
   */
  public static <T> T report(Job<T> job) throws IOException, InterruptedException {
    try {
      return job.run();
    } catch (ClosedChannelException e) {
      // An interruption is both an exception and the status of the thread. It closes each file in
      // use, and later uses of the file give the plain exception.
      if (Thread.interrupted() || e instanceof ClosedByInterruptException) {
        InterruptedException interruption = new InterruptedException("the work was interrupted");
        interruption.initCause(e);
        throw interruption;
      }
      throw e;
    }
  }
}
