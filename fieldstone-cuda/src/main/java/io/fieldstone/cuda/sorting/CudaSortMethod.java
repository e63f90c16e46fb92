package io.fieldstone.cuda.sorting;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The methods of sorting on a GPU. They differ in which transfers and kernels overlap. */
enum CudaSortMethod {
  /** The radix paper's baseline: upload, LSD passes and download, one after the other. */
  SERIAL("serial", false, false, false, false),

  /** LSD passes; histograms are computed during the upload. */
  LSD("lsd", true, false, false, false),

  /** One pass by the most significant digit, then LSD passes within each bucket. */
  MSD_LSD("msd-lsd", false, true, false, false),

  /** The radix paper's (III-B): buckets are downloaded while the next ones are sorted. */
  STREAMED("streamed", false, true, true, false),

  /** Streamed, with histograms computed during the upload and keys downloaded compressed. */
  PACKED("packed", true, true, true, true);

  private final String spec;
  private final boolean countsDuringUpload;
  private final boolean usesBuckets;
  private final boolean streamsBuckets;
  private final boolean compresses;

  CudaSortMethod(
      String spec,
      boolean countsDuringUpload,
      boolean usesBuckets,
      boolean streamsBuckets,
      boolean compresses) {
    this.spec = spec;
    this.countsDuringUpload = countsDuringUpload;
    this.usesBuckets = usesBuckets;
    this.streamsBuckets = streamsBuckets;
    this.compresses = compresses;
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

  /** Whether histograms are computed during the upload. */
  boolean countsDuringUpload() {
    return countsDuringUpload;
  }

  /** Whether items are partitioned into buckets. */
  boolean usesBuckets() {
    return usesBuckets;
  }

  /** Whether buckets are downloaded while others are sorted. */
  boolean streamsBuckets() {
    return streamsBuckets;
  }

  /** Whether keys are downloaded compressed. */
  boolean compresses() {
    return compresses;
  }
}
