package io.fieldstone.cli;

import io.fieldstone.engine.Engine;
import java.io.File;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;

/**
 * Prepares a command on other threads, while the main thread makes the parser and parses the
 * command line.
 *
 * <p>Two things take long: the JVM generates a class for each kind of annotation at every start,
 * and large files need the native kernels.
 */
final class Preparation {

  /** The bytes of a file from which on commands hash with native kernels. */
  private static final long LARGE_FILE_BYTES = 1 << 24;

  /**
   * The number of arguments that are checked for large files, which costs a system call for each.
   */
  private static final int MAX_FILES = 32;

  private Preparation() {}

  /**
   * Starts to prepare a command. Exceptions are ignored: the command itself fails with the same
   * cause.
   *
   * @param command the class of the command, with the annotations of picocli
   * @param arguments the command line
   */
  static void start(Class<?> command, String... arguments) {
    start(() -> readAnnotations(List.of(Main.class, command)));
    start(() -> loadKernels(arguments));
  }

  private static void start(Runnable task) {
    try {
      Thread.ofPlatform()
          .daemon()
          .name("fieldstone-prepare")
          .uncaughtExceptionHandler((_, _) -> {})
          .start(task);
    } catch (OutOfMemoryError _) {
      // The system refuses a thread: the main thread does it.
    }
  }

  /** Reads all annotations. The JVM keeps them, and the classes that it generates. */
  private static void readAnnotations(List<Class<?>> commands) {
    for (Class<?> command : commands) {
      var _ = command.getAnnotations();
      for (Field field : command.getDeclaredFields()) {
        var _ = field.getAnnotations();
      }
    }
  }

  /** Loads the native kernels if an argument is the name of a large file. */
  private static void loadKernels(String... arguments) {
    Arrays.stream(arguments)
        .limit(MAX_FILES)
        .mapToLong(argument -> new File(argument).length())
        .filter(bytes -> bytes >= LARGE_FILE_BYTES)
        .findFirst()
        .ifPresent(bytes -> Engine.hashing().expect(bytes));
  }
}
