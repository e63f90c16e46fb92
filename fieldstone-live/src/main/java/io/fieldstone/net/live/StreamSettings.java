package io.fieldstone.net.live;

import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.rlnc.crypto.MasterKey;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a {@link StreamServer}.
 *
 * @param endpoint address, state, token, rate and threads; its memory is not used
 * @param deadline how long receivers wait for a packet, beside the delay of the path
 * @param key encrypts the packets, if there is one
 */
public record StreamSettings(
    EndpointSettings endpoint, Duration deadline, Optional<MasterKey> key) {

  /** The deadline without another one. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(200);

  /**
   * Checks the deadline.
   *
   * @throws IllegalArgumentException if it is not in 1 ms … 60 s
   */
  public StreamSettings {
    requireDeadline(deadline);
  }

  /** Checks a deadline. */
  static void requireDeadline(Duration deadline) {
    if (deadline.toMillis() < 1 || deadline.compareTo(Duration.ofSeconds(60)) > 0) {
      throw new IllegalArgumentException(
          "deadline of %s ms: want 1 ms to 60 s".formatted(deadline.toNanos() / 1e6));
    }
  }

  /** Returns settings without encryption. */
  public static StreamSettings of(EndpointSettings endpoint, Duration deadline) {
    return new StreamSettings(endpoint, deadline, Optional.empty());
  }

  /** Returns these settings with a key. */
  public StreamSettings withKey(Optional<MasterKey> value) {
    return new StreamSettings(endpoint, deadline, value);
  }
}
