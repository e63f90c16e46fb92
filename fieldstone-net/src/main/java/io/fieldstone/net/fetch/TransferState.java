package io.fieldstone.net.fetch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a transfer, and its failure.
 *
 * <p>Loops of connections, threads that decode, and the caller's thread share a transfer. The
 * monitor of this object is its only lock: it guards this state and that of all other parts, which
 * take it where such a thread enters them. {@code notifyAll} follows each change that the caller's
 * thread waits for.
 */
final class TransferState {

  /** The step for which the transfer waits. */
  enum Phase {
    CHOOSING,
    HASHES,
    KEPT_BYTES,
    BLOCKS,
    ENDED
  }

  private Phase phase = Phase.CHOOSING;
  private @Nullable Throwable failure;
  private long progressNanos = System.nanoTime();

  synchronized Phase phase() {
    return phase;
  }

  /** Begins a phase. */
  synchronized void enter(Phase next) {
    phase = next;
    notifyAll();
  }

  /** Ends the transfer with an exception, unless it has failed before. */
  synchronized void fail(IOException e) {
    failWith(e);
  }

  /** Ends the transfer with an exception, unless it has failed before. */
  synchronized void fail(FetchFailedException e) {
    failWith(e);
  }

  /** Ends the transfer because a thread that decodes has failed, unless it has failed before. */
  synchronized void failUnchecked(Throwable e) {
    failWith(e);
  }

  private void failWith(Throwable e) {
    if (failure == null) {
      failure = e;
    }
    notifyAll();
  }

  synchronized boolean hasFailed() {
    return failure != null;
  }

  /** Throws the exception that has ended the transfer, if there is one. */
  synchronized void throwFailure() throws IOException, FetchFailedException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case FetchFailedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }

  /** Notes that something that was needed has arrived. */
  synchronized void progressed(long nowNanos) {
    progressNanos = nowNanos;
  }

  /** Returns the time of the last progress, or of the start. */
  synchronized long progressNanos() {
    return progressNanos;
  }
}
