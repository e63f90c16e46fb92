package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/**
 * Checks memory that a caller gives to an engine. Every engine calls these methods before it writes
 * anything. Each throws {@link IllegalArgumentException} if its arguments do not agree, and {@link
 * IndexOutOfBoundsException} for indices that do not exist.
 */
public final class MemoryPreconditions {

  private MemoryPreconditions() {}

  /**
   * Checks that the calling thread may access memory, as the segment itself would. Code that uses
   * addresses or other threads needs this check.
   *
   * @throws IllegalStateException if the memory has been freed
   * @throws WrongThreadException if it is confined to another thread
   */
  public static void requireAccessible(MemorySegment memory) {
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the memory has been freed");
    }
    if (!memory.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the memory is confined to another thread");
    }
  }

  /**
   * Returns resident data as the type of an engine, after checking that they are on that engine.
   *
   * @param name of the data, for the error message
   * @param isOwn whether data of the type are on the engine
   * @throws IllegalArgumentException if the data are resident on another engine
   */
  public static <T> T requireResident(
      String name, Object data, Class<T> type, Predicate<? super T> isOwn) {
    if (type.isInstance(data) && isOwn.test(type.cast(data))) {
      return type.cast(data);
    }
    throw new IllegalArgumentException("the " + name + " are resident on another engine");
  }

  /**
   * Checks that memory is writable.
   *
   * @param name the name of the contents, for the message
   */
  public static void requireWritable(String name, MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory for " + name + " is read-only");
    }
  }
}
