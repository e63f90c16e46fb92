package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.GenerationSink;
import java.io.IOException;
import java.util.BitSet;

/** The place to which a fetched object goes. */
interface Destination extends GenerationSink, AutoCloseable {

  /**
   * Begins with an object.
   *
   * @param hashes the hashes by which kept bytes are verified
   * @param threads the number of threads that may work
   * @return the generations that are there, from an earlier attempt
   */
  BitSet begin(GenerationHashes hashes, int threads) throws IOException, InterruptedException;

  /**
   * Returns the number of generations that the destination takes now: those below are wanted, those
   * from it on are not yet.
   */
  int limit();

  /** Completes the output. Called once, after all generations. */
  void commit() throws IOException, InterruptedException;

  /** Ends the use of the output; without {@link #commit} nothing appears. */
  @Override
  void close() throws IOException;
}
