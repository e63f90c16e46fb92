package io.fieldstone.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page and the modules of the receiver for browsers, which are resources. Thread-safe. */
public final class WebFiles {

  /** Names of files have no dot but that of the suffix, so a path leads nowhere else. */
  private static final Pattern PATH =
      Pattern.compile("(?:[a-z0-9-]+/){0,2}[a-z0-9-]+\\.(html|css|js|wasm|svg)");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "wasm", "application/wasm",
          "svg", "image/svg+xml");

  /**
   * A file.
   *
   * @param type its media type
   * @param content its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record WebFile(String type, byte[] content) {}

  private WebFiles() {}

  /**
   * Reads a file.
   *
   * @param path its path in the package, such as {@code fieldstone.js}
   */
  public static Optional<WebFile> read(String path) {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try (InputStream in = WebFiles.class.getResourceAsStream(path)) {
      return in == null
          ? Optional.empty()
          : Optional.of(
              new WebFile(
                  Objects.requireNonNull(TYPES.get(matcher.group(1))), in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
