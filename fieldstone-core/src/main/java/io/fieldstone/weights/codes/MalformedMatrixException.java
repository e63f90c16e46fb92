package io.fieldstone.weights.codes;

/** A text is not the matrix of a code. The message says where: source, line, place in the line. */
public final class MalformedMatrixException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedMatrixException(String source, int line, String what) {
    super("%s, line %d: %s".formatted(source, line, what));
  }
}
