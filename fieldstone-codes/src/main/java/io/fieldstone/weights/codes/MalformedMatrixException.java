package io.fieldstone.weights.codes;

/**
 * Thrown when a text is not the matrix of a code. The message gives the source, and the line and
 * the column of a text.
 */
public final class MalformedMatrixException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedMatrixException(String source, String problem) {
    super(source + ": " + problem);
  }

  MalformedMatrixException(String source, int line, String problem) {
    super("%s, line %d: %s".formatted(source, line, problem));
  }
}
