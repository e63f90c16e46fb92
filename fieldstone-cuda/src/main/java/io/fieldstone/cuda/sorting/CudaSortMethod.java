package io.fieldstone.cuda.sorting;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A method of sorting on a GPU. Methods differ in their kernels, and in what overlaps.
 *
 * @param spec the name of the method
 * @param traits what it does otherwise than to upload, sort by LSD passes, and download
 * @param steps sorts by other passes
 */
public record CudaSortMethod(String spec, Set<Trait> traits, Optional<StepSort> steps) {

  /** Upload, LSD passes by digits of eight bits, and download, one after the other. */
  static final CudaSortMethod SERIAL = of("serial");

  /**
   * Buckets are downloaded while the next ones are sorted, histograms are computed during the
   * upload, and keys are downloaded compressed.
   */
  static final CudaSortMethod PACKED =
      of(
          "packed",
          Trait.COUNTS_DURING_UPLOAD,
          Trait.USES_BUCKETS,
          Trait.STREAMS_BUCKETS,
          Trait.COMPRESSES);

  /** The methods of this module, the slowest first. */
  private static final List<CudaSortMethod> OWN =
      List.of(
          SERIAL,
          // LSD passes; histograms are computed during the upload.
          of("lsd", Trait.COUNTS_DURING_UPLOAD),
          // One pass by the most significant digit, then LSD passes within each bucket.
          of("msd-lsd", Trait.USES_BUCKETS),
          // The radix paper's (III-B): buckets are downloaded while the next ones are sorted.
          of("streamed", Trait.USES_BUCKETS, Trait.STREAMS_BUCKETS),
          PACKED);

  /** A difference between a method and {@code serial}. */
  public enum Trait {
    COUNTS_DURING_UPLOAD,
    USES_BUCKETS,
    STREAMS_BUCKETS,
    COMPRESSES
  }

  private static CudaSortMethod of(String spec, Trait... traits) {
    return new CudaSortMethod(spec, Set.of(traits), Optional.empty());
  }

  /** Returns a method that uploads, sorts in steps, and downloads, one after the other. */
  public static CudaSortMethod inSteps(String spec, StepSort steps) {
    return new CudaSortMethod(spec, Set.of(), Optional.of(steps));
  }

  /** Returns the methods of this module. */
  static List<CudaSortMethod> own() {
    return OWN;
  }

  /** Returns all methods, those of other modules first. */
  static List<CudaSortMethod> all() {
    return Stream.concat(
            ServiceLoader.load(NamedSorts.class, NamedSorts.class.getClassLoader()).stream()
                .flatMap(provider -> provider.get().methods().stream()),
            OWN.stream())
        .toList();
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
