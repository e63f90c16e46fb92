package io.fieldstone.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds arguments that the JVM could not decode. The JVM replaces bytes that are invalid in the
 * locale's encoding with U+FFFD, and would then open or create a file with a different name.
 */
final class Arguments {

  private static final String REPLACEMENT = "\uFFFD";

  /**
   * The file in which Linux lists the raw arguments of a process, each terminated by a zero byte.
   */
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private Arguments() {}

  /** Returns the first argument that the JVM could not decode, with its replacement characters. */
  static Optional<String> undecoded(String... arguments) {
    if (Arrays.stream(arguments).noneMatch(argument -> argument.contains(REPLACEMENT))) {
      return Optional.empty();
    }
    return undecoded(List.of(arguments), rawCommandLine());
  }

  /**
   * Returns the first argument that differs from its raw bytes.
   *
   * @param command the raw words of the command line, which ends with the arguments; if empty,
   *     every U+FFFD counts as a replacement
   */
  static Optional<String> undecoded(List<String> arguments, List<byte[]> command) {
    int firstArgument = command.size() - arguments.size();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      boolean isSame =
          firstArgument >= 0
              && Arrays.equals(
                  argument.getBytes(StandardCharsets.UTF_8), command.get(firstArgument + i));
      if (argument.contains(REPLACEMENT) && !isSame) {
        return Optional.of(argument);
      }
    }
    return Optional.empty();
  }

  private static List<byte[]> rawCommandLine() {
    List<byte[]> arguments = new ArrayList<>();
    ByteArrayOutputStream argument = new ByteArrayOutputStream();
    try {
      for (byte value : Files.readAllBytes(COMMAND_LINE)) {
        if (value == 0) {
          arguments.add(argument.toByteArray());
          argument.reset();
        } else {
          argument.write(value);
        }
      }
      return arguments;
    } catch (IOException e) {
      return List.of();
    }
  }
}
