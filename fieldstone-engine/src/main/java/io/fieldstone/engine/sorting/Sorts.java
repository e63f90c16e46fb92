package io.fieldstone.engine.sorting;

import java.util.List;

/** The sorting port: sorts records by their keys. Thread-safe. */
public interface Sorts {

  /**
   * Returns the names of the methods for a format, simplest first. On the CPU: {@code comparison},
   * {@code lsd}, {@code msd-lsd}; on a GPU also {@code serial} and {@code streamed}.
   */
  List<String> methods(RecordFormat format);

  /** Returns a sorting that uses the fastest method for each number of records. */
  Sorting sorting(RecordFormat format);

  /**
   * Returns a sorting by a method of {@link #methods}.
   *
   * @throws IllegalArgumentException if the format has no such method; the message lists the
   *     methods
   */
  Sorting sorting(RecordFormat format, String method);
}
