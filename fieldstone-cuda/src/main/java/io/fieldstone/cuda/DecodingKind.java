package io.fieldstone.cuda;

/**
 * How an engine decodes: as fast as it can, or as the papers do, which can be asked for by name.
 * Products are the same.
 */
enum DecodingKind {
  /** What an engine does unasked: pipeline codes by inverses, progressive decoding on the GPU. */
  FASTEST("", ""),
  /** Threads share the columns of a frame. */
  BASELINE("baseline", "pipeline codes decoded by columns (baseline of HPDS, Sec. 3.3)"),
  /** Threads share the columns and the earlier frames. */
  HPDS("hpds", "pipeline codes decoded by rows and columns (HPDS, Sec. 3.3)"),
  /** The processor eliminates coding vectors, the GPU combines payloads. */
  ASSISTED("assisted", "progressive decoding with CPU assistance (Nuclei, Sec. IV-F 1)");

  private final String spec;
  private final String description;

  DecodingKind(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  /** Its name behind {@code cuda:N:}. */
  String spec() {
    return spec;
  }

  String description() {
    return description;
  }
}
