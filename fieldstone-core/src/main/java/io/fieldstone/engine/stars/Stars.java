package io.fieldstone.engine.stars;

import java.util.List;

/** The port of the 3-star search: all triples of points that one relay can join. Thread-safe. */
public interface Stars {

  /**
   * The methods that this engine has for a field, by name, the slowest and plainest first. On the
   * cores: {@code sequential}, the paper's; {@code annulus}; {@code lanes}. On a GPU the paper's
   * {@code baseline}, {@code streaming}, {@code compression}, {@code compression+streaming}, and
   * ours.
   */
  List<String> methods(StarField field);

  /** A search by the method that is fastest; the caller closes it before the engine. */
  StarSearch search(StarField field);

  /**
   * A search by one of {@link #methods}.
   *
   * @throws IllegalArgumentException if there is no such method for this field; the message lists
   *     those there are
   */
  StarSearch search(StarField field, String method);
}
