package io.fieldstone.rlnc.crypto;

/** Thrown when an object is encrypted with another key. */
public final class WrongKeyException extends Exception {

  private static final long serialVersionUID = 1L;

  WrongKeyException(long given, long needed) {
    super("encrypted with key %016x, not with key %016x".formatted(needed, given));
  }
}
