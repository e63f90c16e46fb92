package io.fieldstone.bench.nuclei;

/** Holds the shape and the hardware of several tables of Nuclei. */
final class NucleiPaper {

  /** Coded blocks c, from n blocks of k bytes (Sec. IV-B). */
  static final int CODED_BLOCKS = 7168;

  static final int BLOCKS = 1024;
  static final int BLOCK_SIZE = 2048;

  static final String GPU = "GeForce 8800 GT";
  static final String CPU = "8-core Xeon 2.8 GHz, SSE2";

  private NucleiPaper() {}
}
