package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.memory.CpuInfo;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the C kernels store the items that they move to many places. */
enum StoreKind {

  /** Into the cache; the line of each place is fetched before it is needed. */
  FETCHED,

  /**
   * Past the cache, in lines that are gathered. A line is not loaded before it is stored, so that
   * many threads share less of the bandwidth of memory.
   */
  STREAMED;

  /** The system property that fixes the kind, for measurements: {@code fetched, streamed}. */
  static final String PROPERTY = "fieldstone.sort.stores";

  /** Minimum number of threads for which stores past the cache are faster. */
  private static final int MIN_STREAMING_THREADS = 8;

  /** On AMD, gathering lines has been slower than plain stores. */
  private static final boolean CAN_STREAM =
      CpuInfo.current().get("vendor_id").equals(Optional.of("GenuineIntel"));

  /**
   * Returns the faster kind for a number of threads that move items at once.
   *
   * @throws IllegalArgumentException if {@value #PROPERTY} is not a kind
   */
  static StoreKind of(int threads) {
    return Optional.ofNullable(System.getProperty(PROPERTY))
        .map(StoreKind::parse)
        .orElse(CAN_STREAM && threads >= MIN_STREAMING_THREADS ? STREAMED : FETCHED);
  }

  static StoreKind parse(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.toString().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "-D%s=%s is not one of %s"
                    .formatted(
                        PROPERTY,
                        name,
                        Arrays.stream(values())
                            .map(StoreKind::toString)
                            .collect(Collectors.joining(", ")))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
