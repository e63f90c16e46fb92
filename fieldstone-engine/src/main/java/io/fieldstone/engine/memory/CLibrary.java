package io.fieldstone.engine.memory;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** Functions of the C library. Thread-safe. */
public final class CLibrary {

  private CLibrary() {}

  /**
   * Returns the address of a function.
   *
   * @throws java.util.NoSuchElementException if the library of this system does not have it
   */
  public static MemorySegment find(String name) {
    return Linker.nativeLinker().defaultLookup().findOrThrow(name);
  }
}
