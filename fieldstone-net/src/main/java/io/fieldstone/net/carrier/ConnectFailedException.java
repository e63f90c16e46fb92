package io.fieldstone.net.carrier;

import java.io.IOException;

/** No connection came about. */
public final class ConnectFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient CloseReason reason;

  /** The message is the reason's text. */
  public ConnectFailedException(CloseReason reason) {
    super(reason.text());
    this.reason = reason;
  }

  /** Why. */
  public CloseReason reason() {
    return reason;
  }
}
