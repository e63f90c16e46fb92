package io.fieldstone.cpu;

import io.fieldstone.engine.RecordFormat;
import java.util.List;
import java.util.function.Predicate;

/**
 * A way to sort, by name.
 *
 * @param name as it is known
 * @param formats it is made for
 * @param kernels makes what sorts records of a format
 */
record SortMethod(String name, Predicate<RecordFormat> formats, Factory kernels) {

  /** Makes a kernel that works with these threads. */
  interface Factory {
    SortKernel of(RecordFormat format, Workers workers);
  }

  static final SortMethod COMPARISON =
      new SortMethod("comparison", _ -> true, (format, _) -> new ComparisonSort(format));

  /** Those of an engine, the plainest first and the one to choose last. */
  static List<SortMethod> of(CpuVariant variant) {
    return List.of(COMPARISON);
  }
}
