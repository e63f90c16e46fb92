package io.fieldstone.net.carrier;

import java.io.IOException;
import java.util.concurrent.CompletionException;

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

  /**
   * Returns why a future of {@link Carrier#connect} failed, on one line.
   *
   * @param error what the future failed with
   */
  public static String text(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return cause instanceof ConnectFailedException failed
        ? failed.reason().text()
        : String.valueOf(cause.getMessage());
  }

  /** Why. */
  public CloseReason reason() {
    return reason;
  }
}
