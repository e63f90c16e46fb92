package io.fieldstone.engine.sorting;

import java.util.List;

/** The sorting port: records brought into the order of their keys. Thread-safe. */
public interface Sorts {

  /**
   * The methods that this engine has for a format, by name, the slowest and plainest first. On the
   * cores: {@code comparison}, {@code lsd}, {@code msd-lsd}; on a GPU also {@code serial} and
   * {@code streamed}.
   */
  List<String> methods(RecordFormat format);

  /** Sorting by the method that is fastest for each number of records. */
  Sorting sorting(RecordFormat format);

  /**
   * Sorting by one of {@link #methods}.
   *
   * @throws IllegalArgumentException if there is no such method for this format; the message lists
   *     those there are
   */
  Sorting sorting(RecordFormat format, String method);
}
