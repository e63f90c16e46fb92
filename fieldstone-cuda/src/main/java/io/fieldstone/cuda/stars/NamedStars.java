package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.List;

/**
 * Adds methods of the 3-star search that a caller can name. A module registers its class under
 * {@code META-INF/services}; it is read when a method is named or listed.
 */
public interface NamedStars {

  /** Returns the names of the methods for a field. */
  List<String> methods(StarField field);

  /** Uploads a field and returns its search by one of {@link #methods}. */
  StarSearch search(Gpu gpu, StarField field, String method);
}
