package io.fieldstone.cli.sensors;

/** Reports a malformed list of sensors, with the problem and its place. */
public final class MalformedSensorsException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param problem a short description that begins in lower case
   * @param place the file, and the line or feature
   */
  MalformedSensorsException(String problem, String place) {
    super(problem + ": " + place);
  }

  MalformedSensorsException(String problem, String place, Throwable cause) {
    super(problem + ": " + place, cause);
  }
}
