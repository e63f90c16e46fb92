package io.fieldstone.cli.console;

import java.nio.file.FileAlreadyExistsException;

/** A command that cannot be carried out: what went wrong, and where. Exit status 1. */
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param what what went wrong, in a few lower-case words
   * @param where the file, stream or engine it happened at
   */
  public Failure(String what, Object where) {
    super(what + ": " + where);
  }

  public Failure(String what, Object where, Throwable cause) {
    super(what + ": " + where, cause);
  }

  /** An output that exists, and is replaced only with {@code --force}. */
  public static Failure exists(FileAlreadyExistsException e) {
    return new Failure("already exists (--force replaces it)", e.getFile(), e);
  }

  /** {@code text} with its first letter in lower case. */
  static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
