package io.fieldstone.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of a page for browsers, which are resources. Each is read once. Thread-safe. */
public enum WebFiles {
  /** The receiver: its modules, its kernels, its page {@code receive.html}. */
  RECEIVER("", "(?:lib/(?:live/|media/|publishers/)?)?"),

  /** The dashboard, with its page {@code index.html}. */
  DASHBOARD("dashboard/", "");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "wasm", "application/wasm",
          "svg", "image/svg+xml");

  private final String folder;

  /** Names of files have no dot but that of the suffix, so a path leads nowhere else. */
  private final Pattern paths;

  private final Map<String, WebFile> known = new ConcurrentHashMap<>();

  WebFiles(String folder, String folders) {
    this.folder = folder;
    this.paths = Pattern.compile(folders + "[a-z0-9-]+\\.(html|css|js|wasm|svg)");
  }

  /**
   * A file.
   *
   * @param type its media type
   * @param content its bytes, which nobody changes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record WebFile(String type, byte[] content) {}

  /**
   * Returns a file; empty if there is none.
   *
   * @param path its path below the folder of the page, such as {@code fieldstone.js}
   */
  public Optional<WebFile> read(String path) {
    WebFile file = known.get(path);
    return file == null ? load(path) : Optional.of(file);
  }

  private Optional<WebFile> load(String path) {
    Matcher matcher = paths.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try (InputStream in = WebFiles.class.getResourceAsStream(folder + path)) {
      if (in == null) {
        return Optional.empty();
      }
      String type = Objects.requireNonNull(TYPES.get(matcher.group(1)));
      WebFile file = new WebFile(type, in.readAllBytes());
      known.put(path, file);
      return Optional.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
