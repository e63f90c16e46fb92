package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Files of a test, and commands that this JVM runs on them. */
public record TestFolder(Path path) {

  /**
   * Runs a command whose arguments that begin with {@code ./} are files in this folder. Its output
   * shows them without the folder.
   */
  public RunOf run(String... arguments) {
    String[] words =
        Arrays.stream(arguments)
            .map(word -> word.startsWith("./") ? path.resolve(word.substring(2)).toString() : word)
            .toArray(String[]::new);
    RunOf run = RunOf.fieldstone(words);
    String prefix = path + "/";
    return new RunOf(run.status(), run.out().replace(prefix, ""), run.err().replace(prefix, ""));
  }

  /** Runs a command that must succeed and print no message. */
  public RunOf succeed(String... arguments) {
    RunOf run = run(arguments);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    return run;
  }

  /** Encodes a file of this folder. */
  public void encode(String file, String shards, String... options) {
    String[] words = {"encode", "./" + file, "-o", "./" + shards, "-q"};
    assertThat(run(join(words, options))).isEqualTo(new RunOf(0, "", ""));
  }

  /** Writes random bytes that depend on the length only. */
  public byte[] write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Files.write(path.resolve(name), bytes);
    return bytes;
  }

  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(path.resolve(name));
  }

  /** Returns the sorted names in a folder below this one. */
  public List<String> namesIn(String name) throws IOException {
    try (Stream<Path> files = Files.list(path.resolve(name))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  public static String[] join(String[] first, String... rest) {
    String[] all = Arrays.copyOf(first, first.length + rest.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return all;
  }
}
