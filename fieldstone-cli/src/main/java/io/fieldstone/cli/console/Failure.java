package io.fieldstone.cli.console;

import java.nio.file.FileAlreadyExistsException;

/** Reports that a command failed, with the problem and its place. The exit status is 1. */
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean isReported;

  /**
   * @param problem a short description that begins in lower case
   * @param place the file, stream or engine concerned
   */
  public Failure(String problem, Object place) {
    super(problem + ": " + place);
    isReported = false;
  }

  public Failure(String problem, Object place, Throwable cause) {
    super(problem + ": " + place, cause);
    isReported = false;
  }

  private Failure(String message) {
    super(message);
    isReported = true;
  }

  /**
   * Returns the failure of a command whose output shows it already; only {@code --json} adds it.
   */
  public static Failure reported(String problem, Object place) {
    return new Failure(problem + ": " + place);
  }

  /** Tests whether the output of the command shows the failure already. */
  public boolean isReported() {
    return isReported;
  }

  /** Returns the failure for an existing output, which only {@code --force} replaces. */
  public static Failure exists(FileAlreadyExistsException e) {
    return new Failure("already exists (--force replaces it)", e.getFile(), e);
  }

  /** Returns the text with its first letter in lower case. */
  public static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
