package io.fieldstone.engine.checksums;

import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Division of messages by one {@link Divisor}.
 *
 * <p>Appending L bytes to register r gives (r · x^(8L) + message(x) · x^degree) mod G: the register
 * of the Rocksoft model after the message, not reflected. Initial values, reflection of the result
 * and final XOR are the caller's business. Since it is linear, messages may be appended piece by
 * piece, or their remainders combined by powers of x.
 *
 * <p>Thread-safe, and nothing to close; tables belong to the engine. Every method throws {@link
 * IllegalArgumentException} if a register has bits from the degree on.
 */
public interface Division {

  /** What it divides by. */
  Divisor divisor();

  /** How it divides, one of {@link Checksums#methods}; {@code auto} if the engine chooses. */
  String method();

  /**
   * Returns when it is as fast as it will be: code compiled, tables made. Measurements call it
   * first; nothing else has to.
   */
  default void warmUp() {}

  /**
   * Appends a message.
   *
   * @param message any memory, any length
   */
  long append(long register, MemorySegment message);

  /**
   * Appends bytes that are resident.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   * @throws IndexOutOfBoundsException if there are not so many
   */
  long append(long register, ResidentBytes data, long offset, long length);

  /**
   * Appends each of many messages to the same initial register.
   *
   * @param messages where in {@code data} they are; they may overlap
   * @param registers receives the register of each message in order: {@code messages.count()} longs
   *     of native byte order
   * @throws IllegalArgumentException if there is not room for exactly so many registers
   * @throws IndexOutOfBoundsException if a message is not within the data
   */
  void append(long register, MemorySegment data, Extents messages, MemorySegment registers);

  /**
   * As {@link #append(long, MemorySegment, Extents, MemorySegment)}, of bytes that are resident;
   * extents and registers are in this machine's memory.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   */
  void append(long register, ResidentBytes data, Extents messages, MemorySegment registers);
}
