package io.fieldstone.cuda.sorting;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The ways to sort on a GPU. Between host and host they differ in what they do at once. */
enum CudaSortMethod {
  /** The radix paper's baseline: everything goes up, is sorted by LSD passes, and comes down. */
  SERIAL("serial", false, false, false, false),

  /** LSD passes; digits are counted while records still go up. */
  LSD("lsd", true, false, false, false),

  /** A pass by the most significant digit, then each bucket by LSD passes. */
  MSD_LSD("msd-lsd", false, true, false, false),

  /** The radix paper's (III-B): buckets come down while the next ones are sorted. */
  STREAMED("streamed", false, true, true, false),

  /** Ours: the digits of what is there are counted meanwhile, and keys come down packed. */
  PACKED("packed", true, true, true, true);

  private final String spec;
  private final boolean countsEarly;
  private final boolean makesBuckets;
  private final boolean streams;
  private final boolean packs;

  CudaSortMethod(
      String spec, boolean countsEarly, boolean makesBuckets, boolean streams, boolean packs) {
    this.spec = spec;
    this.countsEarly = countsEarly;
    this.makesBuckets = makesBuckets;
    this.streams = streams;
    this.packs = packs;
  }

  /** Their names, the slowest and plainest first. */
  static List<String> names() {
    return Arrays.stream(values()).map(CudaSortMethod::spec).toList();
  }

  static Optional<CudaSortMethod> of(String name) {
    return Arrays.stream(values()).filter(method -> method.spec.equals(name)).findFirst();
  }

  String spec() {
    return spec;
  }

  /** Whether digits are counted while records go up. */
  boolean countsEarly() {
    return countsEarly;
  }

  /** Whether there are buckets. */
  boolean makesBuckets() {
    return makesBuckets;
  }

  /** Whether buckets come down while others are sorted. */
  boolean streams() {
    return streams;
  }

  /** Whether keys come down packed. */
  boolean packs() {
    return packs;
  }
}
