package io.fieldstone.engine.checksums;

import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Divides messages by one {@link Divisor}.
 *
 * <p>Appending a message of L bytes to a register r gives (r · x^(8L) + message(x) · x^degree) mod
 * G. This is the register of the Rocksoft model, not reflected; the caller applies the initial
 * value, the reflection of the result and the final XOR. Division is linear: messages may be
 * appended in parts, and remainders of parts combined by powers of x.
 *
 * <p>Thread-safe; needs no close. Every method throws {@link IllegalArgumentException} if a
 * register has a bit at or above the degree.
 */
public interface Division {

  /** Returns the divisor. */
  Divisor divisor();

  /**
   * Returns the name of the method, one of {@link Checksums#methods}; {@code auto} if the engine
   * chooses.
   */
  String method();

  /**
   * Waits until code is compiled and tables are built, so that the division runs at full speed.
   * Only measurements need this call.
   */
  void warmUp();

  /**
   * Announces the bytes that a caller will divide piece by piece. If they are many, faster code is
   * loaded before the first piece is divided.
   */
  default void expect(long bytes) {}

  /**
   * Appends a message to a register.
   *
   * @param message memory of any kind and length
   * @return the register after the message
   * @throws IllegalStateException if the memory has been freed, or another thread frees it during
   *     the call; most engines make {@link java.lang.foreign.Arena#close} throw instead
   */
  long append(long register, MemorySegment message);

  /**
   * Appends resident bytes to a register.
   *
   * @return the register after the bytes
   * @throws IllegalArgumentException if the bytes are resident on another engine
   * @throws IndexOutOfBoundsException if the range exceeds the bytes
   */
  long append(long register, ResidentBytes data, long offset, long length);

  /**
   * Appends each message of a batch to the same initial register.
   *
   * @param messages the offsets and lengths of the messages in {@code data}; they may overlap
   * @param registers receives the registers in order of the messages: {@code messages.count()}
   *     longs of native byte order
   * @throws IllegalArgumentException if {@code registers} has another size
   * @throws IndexOutOfBoundsException if a message exceeds the data
   */
  void append(long register, MemorySegment data, Extents messages, MemorySegment registers);

  /**
   * Appends each message of a batch of resident bytes to the same initial register. Extents and
   * registers are in host memory.
   *
   * @throws IllegalArgumentException if the bytes are resident on another engine, or {@code
   *     registers} has another size
   * @throws IndexOutOfBoundsException if a message exceeds the data
   * @see #append(long, MemorySegment, Extents, MemorySegment)
   */
  void append(long register, ResidentBytes data, Extents messages, MemorySegment registers);
}
