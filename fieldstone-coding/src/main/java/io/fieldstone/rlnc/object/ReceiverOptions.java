package io.fieldstone.rlnc.object;

import java.util.function.Consumer;

/**
 * The settings of an {@link ObjectReceiver}.
 *
 * @param windowBytes the memory for open generations: at least twice the bytes in flight from all
 *     senders for full speed. One generation is open even if it needs more
 * @param isOnDemand whether only generations named by {@link ObjectReceiver#want} are fetched, as a
 *     relay does
 * @param verifier takes a task that decodes and hashes a generation. It runs the task on any
 *     thread, and then gives it to {@link ObjectReceiver#finish} on the receiver's thread
 */
public record ReceiverOptions(
    long windowBytes, boolean isOnDemand, Consumer<GenerationTask> verifier) {

  /** The default memory for open generations, 64 MiB. */
  public static final long DEFAULT_WINDOW_BYTES = 64L << 20;

  /** A verifier that decodes and hashes inside {@link ObjectReceiver#receive}. */
  public static final Consumer<GenerationTask> INLINE = GenerationTask::run;

  /** All generations, decoded and hashed inside {@link ObjectReceiver#receive}. */
  public static final ReceiverOptions DEFAULT =
      new ReceiverOptions(DEFAULT_WINDOW_BYTES, false, INLINE);

  /**
   * Checks the memory.
   *
   * @throws IllegalArgumentException if {@code windowBytes} is less than 1
   */
  public ReceiverOptions {
    if (windowBytes < 1) {
      throw new IllegalArgumentException("windowBytes " + windowBytes + " is less than 1");
    }
  }

  /** Returns these settings with another window. */
  public ReceiverOptions withWindowBytes(long bytes) {
    return new ReceiverOptions(bytes, isOnDemand, verifier);
  }

  /** Returns these settings for a receiver that fetches on demand. */
  public ReceiverOptions onDemand() {
    return new ReceiverOptions(windowBytes, true, verifier);
  }

  /** Returns these settings with another verifier. */
  public ReceiverOptions withVerifier(Consumer<GenerationTask> newVerifier) {
    return new ReceiverOptions(windowBytes, isOnDemand, newVerifier);
  }
}
