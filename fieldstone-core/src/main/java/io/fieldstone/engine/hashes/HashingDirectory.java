package io.fieldstone.engine.hashes;

import java.util.ServiceLoader;

/** Finds the implementation of an adapter through {@link ServiceLoader}. */
final class HashingDirectory {

  static final Hashing FASTEST =
      ServiceLoader.load(Hashing.class, Hashing.class.getClassLoader())
          .findFirst()
          .orElseGet(Hashing::jdk);

  private HashingDirectory() {}
}
