package io.fieldstone.cli.console;

import java.nio.file.FileAlreadyExistsException;

/** Reports that a command failed, with the problem and its place. The exit status is 1. */
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param problem a short description that begins in lower case
   * @param place the file, stream or engine concerned
   */
  public Failure(String problem, Object place) {
    super(problem + ": " + place);
  }

  public Failure(String problem, Object place, Throwable cause) {
    super(problem + ": " + place, cause);
  }

  /** Returns the failure for an existing output, which only {@code --force} replaces. */
  public static Failure exists(FileAlreadyExistsException e) {
    return new Failure("already exists (--force replaces it)", e.getFile(), e);
  }

  /** Returns the text with its first letter in lower case. */
  static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
