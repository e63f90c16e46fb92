package io.fieldstone.net.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A file of the page, which is a resource.
 *
 * @param type its media type
 * @param content its bytes, which nobody changes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PageFile(String type, byte[] content) {

  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of("main", "dom", "format", "overview", "peers", "objects", "flow", "map", "sparkline");

  /** Returns all files by their paths. */
  static Map<String, PageFile> all() {
    Map<String, PageFile> files = new LinkedHashMap<>();
    files.put("/", read("index.html", HTML));
    files.put("/dashboard.css", read("dashboard.css", CSS));
    files.put("/icon.svg", read("icon.svg", "image/svg+xml"));
    SCRIPTS.forEach(name -> files.put("/" + name + ".js", read(name + ".js", SCRIPT)));
    return Map.copyOf(files);
  }

  private static PageFile read(String name, String type) {
    try (InputStream in = PageFile.class.getResourceAsStream(name)) {
      return new PageFile(type, Objects.requireNonNull(in, name).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
