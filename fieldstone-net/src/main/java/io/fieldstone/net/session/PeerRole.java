package io.fieldstone.net.session;

/** The role of a peer, as its {@link Message.Hello} states. */
public enum PeerRole {
  /** Fetches objects. */
  RECEIVER(0),
  /** Serves its own files. */
  ORIGIN(1),
  /** Serves what it has received and verified. */
  VERIFIED_RELAY(2),
  /** Recodes what it has received, without verification. */
  IMMEDIATE_RELAY(3);

  private final int code;

  PeerRole(int code) {
    this.code = code;
  }

  /** Returns what the dashboard calls it. */
  public String text() {
    return switch (this) {
      case RECEIVER -> "client";
      case ORIGIN -> "server";
      case VERIFIED_RELAY -> "relay";
      case IMMEDIATE_RELAY -> "immediate relay";
    };
  }

  /** Returns the number of the protocol. */
  int code() {
    return code;
  }

  /** Returns true for a peer that sends blocks. */
  public boolean isSender() {
    return this != RECEIVER;
  }
}
