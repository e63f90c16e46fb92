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
 * Finds arguments that the JVM could not decode. It replaces bytes that are no characters in the
 * locale's encoding by U+FFFD, and would open or make a file of another name.
 */
final class Arguments {

  private static final String REPLACEMENT = "\uFFFD";

  /** Where Linux shows the bytes of a process's arguments, each with a zero after it. */
  private static final Path BYTES = Path.of("/proc/self/cmdline");

  private Arguments() {}

  /** The first argument that the JVM could not decode, with its replacements. */
  static Optional<String> undecoded(String... arguments) {
    if (Arrays.stream(arguments).noneMatch(one -> one.contains(REPLACEMENT))) {
      return Optional.empty();
    }
    return undecoded(List.of(arguments), bytes());
  }

  /**
   * As {@link #undecoded(String...)}.
   *
   * @param command the bytes of the command line, which ends with the arguments; empty if they are
   *     not known, and then every U+FFFD counts as a replacement
   */
  static Optional<String> undecoded(List<String> arguments, List<byte[]> command) {
    int before = command.size() - arguments.size();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      boolean isSame =
          before >= 0
              && Arrays.equals(argument.getBytes(StandardCharsets.UTF_8), command.get(before + i));
      if (argument.contains(REPLACEMENT) && !isSame) {
        return Optional.of(argument);
      }
    }
    return Optional.empty();
  }

  private static List<byte[]> bytes() {
    List<byte[]> arguments = new ArrayList<>();
    ByteArrayOutputStream argument = new ByteArrayOutputStream();
    try {
      for (byte one : Files.readAllBytes(BYTES)) {
        if (one == 0) {
          arguments.add(argument.toByteArray());
          argument.reset();
        } else {
          argument.write(one);
        }
      }
      return arguments;
    } catch (IOException e) {
      return List.of();
    }
  }
}
