package io.fieldstone.net.session;

import io.fieldstone.net.carrier.CloseReason;

/** The codes with which a session closes its connection (docs/network.md, "Protocol"). */
public final class CloseCode {

  /** The peer does not know the token of the server. */
  public static final long TOKEN = CloseReason.MIN_SESSION_CODE;

  /** The peer speaks another version of the protocol. */
  public static final long VERSION = CloseReason.MIN_SESSION_CODE + 1;

  /** A message or datagram is not valid, or not valid now. */
  public static final long MALFORMED = CloseReason.MIN_SESSION_CODE + 2;

  /** The peer asks for more than a limit allows. */
  public static final long LIMIT = CloseReason.MIN_SESSION_CODE + 3;

  /** The server stops. */
  public static final long STOPPING = CloseReason.MIN_SESSION_CODE + 4;

  /** The server has as many clients as it accepts. */
  public static final long FULL = CloseReason.MIN_SESSION_CODE + 5;

  /** The peer sends nothing that was asked for. */
  public static final long STALLED = CloseReason.MIN_SESSION_CODE + 6;

  /** The peer sent wrong bytes. */
  public static final long CONVICTED = CloseReason.MIN_SESSION_CODE + 7;

  /** The server has just started, and does not know yet what it offers. */
  public static final long STARTING = CloseReason.MIN_SESSION_CODE + 8;

  private CloseCode() {}

  /** Returns true if another attempt with the same settings would end in the same way. */
  public static boolean isFinal(long code) {
    return code == TOKEN || code == VERSION || code == MALFORMED || code == CONVICTED;
  }
}
