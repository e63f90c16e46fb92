package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarBatch.LocalIds;
import io.fieldstone.engine.stars.StarBatch.Triples;

/** The paper's implementations (IV-C): what a star is reported as, and how many pieces go round. */
enum CellMethod {
  BASELINE("baseline", false, 1),
  STREAMING("streaming", false, CellMethod.STREAMS),
  COMPRESSION("compression", true, 1),
  COMPRESSION_STREAMING("compression+streaming", true, CellMethod.STREAMS);

  /** One at the kernel, one on the bus, one at the sink. */
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

  /** Whether stars are local numbers in chunks. */
  boolean compresses() {
    return compresses;
  }

  /** Pieces under way at a time. */
  int depth() {
    return depth;
  }

  /** Bytes of what the kernel claims at a time. */
  int unitBytes() {
    return compresses ? LocalIds.CHUNK_BYTES : Triples.BYTES;
  }
}
