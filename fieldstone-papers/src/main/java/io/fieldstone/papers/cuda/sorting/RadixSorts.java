package io.fieldstone.papers.cuda.sorting;

import io.fieldstone.cuda.sorting.CudaSortMethod;
import io.fieldstone.cuda.sorting.NamedSorts;
import java.util.List;

/** Adds the radix paper's baseline: upload, LSD passes in three steps, and download. */
public final class RadixSorts implements NamedSorts {

  /** For the service loader. */
  public RadixSorts() {}

  @Override
  public List<CudaSortMethod> methods() {
    return List.of(CudaSortMethod.inSteps("radix-16", new RadixSteps()));
  }
}
