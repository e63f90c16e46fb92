package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineMemoryError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorLineTest {

  static Stream<Arguments> failures() {
    IOException full = new IOException("No space left on device");
    return Stream.of(
        Arguments.of(new Failure("is a directory", "x"), "is a directory: x"),
        Arguments.of(new NoSuchFileException("x"), "no such file or directory: x"),
        Arguments.of(new AccessDeniedException("x"), "permission denied: x"),
        Arguments.of(
            new FileSystemException("x", null, "Too many open files"), "too many open files: x"),
        Arguments.of(new FileSystemException("x"), "cannot be read or written: x"),
        Arguments.of(full, "no space left on device"),
        Arguments.of(
            new IOException("dir/x: No space left on device", full),
            "no space left on device: dir/x"),
        Arguments.of(new UncheckedIOException(full), "no space left on device"),
        Arguments.of(new InterruptedException(), "interrupted"),
        Arguments.of(new EngineFailedException("engine x was closed", full), "engine x was closed"),
        Arguments.of(new EngineMemoryError("engine x is full", full), "engine x is full"),
        Arguments.of(new IOException("a\nb\tc  d"), "a\\u000ab\\u0009c  d"),
        Arguments.of(
            new IOException("\u001b[31mred\u0000\u2028\u202e"),
            "\\u001b[31mred\\u0000\\u2028\\u202e"),
        Arguments.of(new IOException("z".repeat(5000)), "z".repeat(2000) + "…"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void namesTheProblemAndThePlaceInOneLine(Throwable failure, String line) {
    assertThat(ErrorLine.of(failure)).isEqualTo(line);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void staysOneLineForTheUnexpected(Throwable error, String start) {
    assertThat(ErrorLine.of(error)).startsWith(start).doesNotContain("\n");
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new OutOfMemoryError(), "out of memory: "),
        Arguments.of(
            new IllegalStateException("a\nb"), "internal error: java.lang.IllegalStateException"),
        Arguments.of(new StackOverflowError(), "internal error: stack overflow"));
  }
}
