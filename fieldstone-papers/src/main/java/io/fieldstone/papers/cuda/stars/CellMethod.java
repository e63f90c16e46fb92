package io.fieldstone.papers.cuda.stars;

import io.fieldstone.engine.stars.StarBatch.LocalIds;
import io.fieldstone.engine.stars.StarBatch.Triples;

/** The paper's implementations (IV-C), by the format of stars and the number of slots. */
enum CellMethod {
  BASELINE("baseline", false, 1),
  STREAMING("streaming", false, CellMethod.STREAMS),
  COMPRESSION("compression", true, 1),
  COMPRESSION_STREAMING("compression+streaming", true, CellMethod.STREAMS);

  /** Bytes of a star in compressed chunks: 3.09 in a dense field. */
  private static final int COMPRESSED_BYTES = 3;

  /** One for the kernel, one for the transfer, one for the sink. */
  private static final int STREAMS = 3;

  private final String title;
  private final boolean compresses;
  private final int depth;

  CellMethod(String title, boolean compresses, int depth) {
    this.title = title;
    this.compresses = compresses;
    this.depth = depth;
  }

  String title() {
    return title;
  }

  /** Whether stars are reported as chunks of indices within segments. */
  boolean compresses() {
    return compresses;
  }

  /** Returns the maximum number of concurrent pieces. */
  int depth() {
    return depth;
  }

  /** Returns the bytes of a star, on average. */
  int starBytes() {
    return compresses ? COMPRESSED_BYTES : Triples.BYTES;
  }

  /** Returns the size of a unit of output: a chunk or a star. */
  int unitBytes() {
    return compresses ? LocalIds.CHUNK_BYTES : Triples.BYTES;
  }
}
