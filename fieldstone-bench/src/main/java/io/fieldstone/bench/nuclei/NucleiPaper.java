package io.fieldstone.bench.nuclei;

/** What stands in several tables of Nuclei. */
final class NucleiPaper {

  /** Sec. IV-B: c coded blocks from n blocks of k bytes. */
  static final int CODED_BLOCKS = 7168;

  static final int BLOCKS = 1024;
  static final int BLOCK_SIZE = 2048;

  static final String GPU = "GeForce 8800 GT";
  static final String CPU = "8-core Xeon 2.8 GHz, SSE2";

  private NucleiPaper() {}
}
