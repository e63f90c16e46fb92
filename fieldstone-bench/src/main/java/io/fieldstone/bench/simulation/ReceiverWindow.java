package io.fieldstone.bench.simulation;

/** The decoder of a receiver, as far as a simulation needs it. */
interface ReceiverWindow extends AutoCloseable {
  /** Takes a source that arrived. */
  void source(long source);

  /** Takes a repair that covers the sources from first to before the end. */
  void repair(long first, long end);

  /** Gives up what is missing before a source. */
  void expire(long firstWanted);

  /** The first source that is neither known nor given up; the end of those known to be sent. */
  long firstMissing();

  /** The independent repairs that are lacking. */
  int deficit();

  /** Frees the memory. Idempotent. */
  @Override
  default void close() {}
}
