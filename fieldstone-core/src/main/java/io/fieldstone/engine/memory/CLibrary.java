package io.fieldstone.engine.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Links functions of the C library. Thread-safe. */
public final class CLibrary {

  private CLibrary() {}

  /**
   * Returns a function.
   *
   * @throws java.util.NoSuchElementException if the library of this system does not have it
   */
  public static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
