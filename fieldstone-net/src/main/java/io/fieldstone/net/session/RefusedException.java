package io.fieldstone.net.session;

import io.fieldstone.rlnc.wire.Sha256;

/** Thrown when an object cannot be sent. The message is for the client's operator. */
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Message.RefusalCode code;

  /** Creates an exception with a code and a text of one line. */
  public RefusedException(Message.RefusalCode code, String text) {
    super(text);
    this.code = code;
  }

  /** Creates the exception for an object that is not offered. */
  public static RefusedException unknown(Sha256 id) {
    return new RefusedException(Message.RefusalCode.UNKNOWN, "no object " + id + " is offered");
  }

  /** Returns the reason. */
  public Message.RefusalCode code() {
    return code;
  }
}
