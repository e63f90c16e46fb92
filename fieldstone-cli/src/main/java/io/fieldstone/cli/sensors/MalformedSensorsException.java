package io.fieldstone.cli.sensors;

/** A list of sensors is not what it should be; the message says what is wrong, and where. */
public final class MalformedSensorsException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param what is wrong, in a few lower-case words
   * @param where the file, and the line or feature
   */
  MalformedSensorsException(String what, String where) {
    super(what + ": " + where);
  }

  MalformedSensorsException(String what, String where, Throwable cause) {
    super(what + ": " + where, cause);
  }
}
