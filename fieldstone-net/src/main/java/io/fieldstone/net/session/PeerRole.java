package io.fieldstone.net.session;

/** What a peer does, as its {@link Message.Hello} states. The order is part of the protocol. */
public enum PeerRole {
  /** Fetches objects. */
  RECEIVER,
  /** Serves its own files. */
  ORIGIN,
  /** Serves what it has received and verified. */
  VERIFIED_RELAY,
  /** Recodes what it has received, without verification. */
  IMMEDIATE_RELAY;

  /** Returns true for a peer that sends blocks. */
  public boolean isSender() {
    return this != RECEIVER;
  }
}
