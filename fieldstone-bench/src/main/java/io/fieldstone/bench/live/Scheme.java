package io.fieldstone.bench.live;

/** A way to repair losses, at both ends of a {@link DelaySimulation}. */
interface Scheme extends AutoCloseable {

  /** Takes note that the sender has sent a source. */
  void onSource(long source);

  /** Sends what the receiver's report of a one-way delay before asks for. */
  void answer();

  /** Receives a source. */
  void arrive(long source);

  /** Makes the receiver's report of this slot. */
  default void report() {}

  /** Frees the memory. Throws nothing. */
  @Override
  default void close() {}
}
