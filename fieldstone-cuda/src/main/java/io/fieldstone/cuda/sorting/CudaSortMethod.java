package io.fieldstone.cuda.sorting;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The methods of sorting on a GPU. They differ in their kernels, and in what overlaps. */
enum CudaSortMethod {
  /**
   * The radix paper's baseline: upload, LSD passes in three steps by digits of four bits, and
   * download, one after the other.
   */
  RADIX_16("radix-16", Trait.SORTS_IN_STEPS),

  /** Upload, LSD passes by digits of eight bits, and download, one after the other. */
  SERIAL("serial"),

  /** LSD passes; histograms are computed during the upload. */
  LSD("lsd", Trait.COUNTS_DURING_UPLOAD),

  /** One pass by the most significant digit, then LSD passes within each bucket. */
  MSD_LSD("msd-lsd", Trait.USES_BUCKETS),

  /** The radix paper's (III-B): buckets are downloaded while the next ones are sorted. */
  STREAMED("streamed", Trait.USES_BUCKETS, Trait.STREAMS_BUCKETS),

  /** Streamed, with histograms computed during the upload and keys downloaded compressed. */
  PACKED(
      "packed",
      Trait.COUNTS_DURING_UPLOAD,
      Trait.USES_BUCKETS,
      Trait.STREAMS_BUCKETS,
      Trait.COMPRESSES);

  private enum Trait {
    SORTS_IN_STEPS,
    COUNTS_DURING_UPLOAD,
    USES_BUCKETS,
    STREAMS_BUCKETS,
    COMPRESSES
  }

  private final String spec;
  private final Set<Trait> traits;

  CudaSortMethod(String spec, Trait... traits) {
    this.spec = spec;
    this.traits = Set.of(traits);
  }

  /** Returns the names of all methods, the slowest first. */
  static List<String> names() {
    return Arrays.stream(values()).map(CudaSortMethod::spec).toList();
  }

  static Optional<CudaSortMethod> of(String name) {
    return Arrays.stream(values()).filter(method -> method.spec.equals(name)).findFirst();
  }

  String spec() {
    return spec;
  }

  /** Whether a pass takes three kernels. */
  boolean sortsInSteps() {
    return traits.contains(Trait.SORTS_IN_STEPS);
  }

  /** Whether histograms are computed during the upload. */
  boolean countsDuringUpload() {
    return traits.contains(Trait.COUNTS_DURING_UPLOAD);
  }

  /** Whether items are partitioned into buckets. */
  boolean usesBuckets() {
    return traits.contains(Trait.USES_BUCKETS);
  }

  /** Whether buckets are downloaded while others are sorted. */
  boolean streamsBuckets() {
    return traits.contains(Trait.STREAMS_BUCKETS);
  }

  /** Whether keys are downloaded compressed. */
  boolean compresses() {
    return traits.contains(Trait.COMPRESSES);
  }
}
