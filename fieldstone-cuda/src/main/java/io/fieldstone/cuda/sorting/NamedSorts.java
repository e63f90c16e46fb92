package io.fieldstone.cuda.sorting;

import java.util.List;

/**
 * Adds methods of sorting that a caller can name. A module registers its class under {@code
 * META-INF/services}; it is read when a method is named or listed.
 */
public interface NamedSorts {

  /** Returns the methods. */
  List<CudaSortMethod> methods();
}
