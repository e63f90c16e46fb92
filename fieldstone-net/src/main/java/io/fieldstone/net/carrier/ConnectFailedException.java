package io.fieldstone.net.carrier;

import java.io.IOException;

/** No connection came about. */
public final class ConnectFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient CloseReason reason;

  /**
   * Creates an exception.
   *
   * @param address the address of the peer, which the message names before the reason
   */
  public ConnectFailedException(String address, CloseReason reason) {
    super(address + ": " + reason.text());
    this.reason = reason;
  }

  /** Why. */
  public CloseReason reason() {
    return reason;
  }
}
