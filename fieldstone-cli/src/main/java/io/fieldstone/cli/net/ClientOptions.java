package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all peers of a network: their state and the token. */
final class ClientOptions {

  private static final int MAX_TOKEN_BYTES = 255;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "Folder of the identity, known servers and records seen (default: fieldstone in"
              + " $$XDG_STATE_HOME or ~/.local/state).")
  private @Nullable Path state;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File whose first line is the token that server and clients share.")
  private @Nullable Path tokenFile;

  /**
   * Returns the folder of the state, which may be absent.
   *
   * @throws Failure if something else has its name
   */
  Path state() throws Failure {
    Path folder = state == null ? usualState() : state;
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new Failure("not a directory", folder);
    }
    return folder;
  }

  private static Path usualState() {
    return environment("XDG_STATE_HOME")
        .map(Path::of)
        .orElseGet(() -> {
          String home = environment("HOME").orElse(System.getProperty("user.home", "."));
          return Path.of(home, ".local", "state");
        })
        .resolve("fieldstone");
  }

  /** Returns the value of a variable; empty if it is not set, or empty. */
  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }

  /** Returns the file of the token, if there is one. */
  Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  /** Returns the token; empty without {@code --token-file}. */
  String token() throws IOException, Failure {
    if (tokenFile == null) {
      return "";
    }
    Optional<String> line;
    try (var reader = Files.newBufferedReader(tokenFile)) {
      line = Optional.ofNullable(reader.readLine()).map(String::strip);
    } catch (CharacterCodingException e) {
      throw new Failure("not a text file in UTF-8", tokenFile, e);
    } catch (IOException e) {
      throw FileErrors.of(tokenFile, e);
    }
    if (line.isEmpty() || line.get().isEmpty()) {
      throw new Failure("the first line has no token", tokenFile);
    }
    int bytes = line.get().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_TOKEN_BYTES) {
      throw new Failure(
          "the token has %d bytes, the maximum is %d".formatted(bytes, MAX_TOKEN_BYTES), tokenFile);
    }
    return line.get();
  }
}
