package io.fieldstone.relays.terrain;

/** Reports heights that cannot be used, with the problem and the file. */
public final class MalformedTerrainException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param problem a short description that begins in lower case
   * @param file the name of the file
   */
  public MalformedTerrainException(String problem, String file) {
    super(problem + ": " + file);
  }
}
