package io.fieldstone.cpu;

import io.fieldstone.engine.RecordFormat;
import java.util.List;

/**
 * A way to sort, by name.
 *
 * @param name as it is known
 * @param kernels makes what sorts records of a format
 */
record SortMethod(String name, Factory kernels) {

  /** Makes a kernel that works with these threads, in this memory. */
  interface Factory {
    SortKernel of(RecordFormat format, Workers workers, SortMemory memory);
  }

  static final SortMethod COMPARISON =
      new SortMethod("comparison", (format, _, _) -> new ComparisonSort(format));

  static final SortMethod MSD_LSD =
      new SortMethod(
          "msd-lsd",
          (format, workers, memory) ->
              new RadixKernel(
                  format, items -> new MsdLsd(items, workers, memory), workers, memory));

  /** Those of an engine, the plainest first and the one to choose last. */
  static List<SortMethod> of(CpuVariant variant) {
    return variant.spec().equals(CpuVariant.ORACLE)
        ? List.of(COMPARISON)
        : List.of(COMPARISON, MSD_LSD);
  }
}
