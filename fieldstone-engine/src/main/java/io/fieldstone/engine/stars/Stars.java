package io.fieldstone.engine.stars;

import java.util.List;

/**
 * The port of the 3-star search: finds all triples of points that one relay can connect.
 * Thread-safe.
 */
public interface Stars {

  /**
   * Returns the names of the methods for a field, simplest first. On the CPU: {@code sequential}
   * (the paper's), {@code annulus} and {@code lanes}. On a GPU: {@code lanes}, and those that other
   * modules add.
   */
  List<String> methods(StarField field);

  /** Creates a search by the fastest method; the caller closes it before the engine. */
  StarSearch search(StarField field);

  /**
   * Creates a search by a method of {@link #methods}.
   *
   * @throws IllegalArgumentException if the field has no such method; the message lists the methods
   */
  StarSearch search(StarField field, String method);
}
