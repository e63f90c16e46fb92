package io.fieldstone.rlnc.crypto;

/** Thrown when the key of an object is another one, missing, or not needed. */
public final class WrongKeyException extends Exception {

  private static final long serialVersionUID = 1L;

  WrongKeyException(String problem) {
    super(problem);
  }
}
