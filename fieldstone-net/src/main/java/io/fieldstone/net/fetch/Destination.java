package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.GenerationSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;

/**
 * The place to which the bytes of a file go: those of the object, or those that it encrypts. {@link
 * #verified} takes them decrypted.
 */
interface Destination extends GenerationSink, AutoCloseable {

  /**
   * Checks that there is space for a file, before its hashes are asked for. Of a file that is not
   * encrypted they show what are zeros, which need no space; {@link #begin} checks then.
   *
   * @throws IOException if there is not enough
   */
  default void requireSpace(GenerationContent content) throws IOException {}

  /**
   * Begins with an object.
   *
   * @param hashes the hashes by which kept bytes are verified
   * @param content where the bytes of the file are in the object
   * @param threads the number of threads that may work
   * @return the generations that are there, from an earlier attempt or as zeros
   * @throws IOException if there is not enough space, or the output cannot be opened
   */
  BitSet begin(GenerationHashes hashes, GenerationContent content, int threads)
      throws IOException, InterruptedException;

  /**
   * Tests whether bytes leave in the order of the object. A destination that is ordered wants
   * generations one after another, and their source blocks as soon as they are verified.
   */
  boolean isOrdered();

  /**
   * Returns the number of generations that the destination takes now: those below are wanted, those
   * from it on are not yet.
   */
  int limit();

  /** Takes a source block whose leaf is right, if the destination is ordered. */
  default void sourceVerified(int generation, int position, MemorySegment block) {}

  /** Returns the error that has ended writing on a thread of the destination. */
  default Optional<IOException> failure() {
    return Optional.empty();
  }

  /** Returns true if an earlier attempt has left bytes, which another object would replace. */
  default boolean isResumed() {
    return false;
  }

  /**
   * Deletes what this fetch has written when it is closed, because it is not clear which object the
   * user means. What an earlier fetch has left stays.
   */
  default void drop() {}

  /** Returns true if an equal file was there, so that nothing was fetched. */
  default boolean wasThere() {
    return false;
  }

  /** Returns the bytes of zeros that need not be fetched, because the output is new there. */
  default long zeroBytes() {
    return 0;
  }

  /** Completes the output. Called once, after all generations. */
  void commit() throws IOException, InterruptedException;

  /** Ends the use of the output; without {@link #commit} nothing appears. */
  @Override
  void close() throws IOException;
}
