package io.fieldstone.net.peers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The secret that a server and its clients share, if the server needs one. Immutable. */
public final class AccessToken {

  private final byte[] token;

  /**
   * Creates a token.
   *
   * @param token the secret; empty if every client is admitted
   */
  public AccessToken(String token) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns true if a client that gives this token is admitted, in a time that reveals nothing. */
  public boolean admits(String given) {
    return token.length == 0
        || MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
  }
}
