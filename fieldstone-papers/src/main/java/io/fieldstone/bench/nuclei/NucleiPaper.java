package io.fieldstone.bench.nuclei;

/** Holds the shape and the hardware of several tables of Nuclei. */
final class NucleiPaper {

  /** Coded blocks c, from n blocks of k bytes (Sec. IV-B). */
  static final int CODED_BLOCKS = 7168;

  static final int BLOCKS = 1024;
  static final int BLOCK_SIZE = 2048;

  /** Encoded MB/s of the GPU at n = 128 (Fig. 5a). */
  static final double ENCODE_RATE_128 = 66.9;

  /** Clients that the GPU can serve at (128, 4096) (Sec. V-D). */
  static final double CLIENTS = 870;

  /** The stream of a client, 768 kbit/s, in bytes per second. */
  static final double CLIENT_RATE = 768e3 / 8;

  static final String GPU = "GeForce 8800 GT";
  static final String CPU = "8-core Xeon 2.8 GHz, SSE2";

  private NucleiPaper() {}
}
