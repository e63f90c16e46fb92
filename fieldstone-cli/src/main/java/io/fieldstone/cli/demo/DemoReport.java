package io.fieldstone.cli.demo;

import java.util.List;
import java.util.Optional;

/**
 * The result of a run.
 *
 * @param bytes the length of the object
 * @param blocks its source blocks
 * @param sha256 the SHA-256 of the object
 * @param receivers the results of all receivers
 * @param links the packets of all senders, and what the links did to them
 * @param sentBySource the packets that the server sent
 * @param isRelayKilled whether a relay was killed half way
 * @param evil the evil relay, if there was one
 * @param nanos the time until all receivers had the object
 */
public record DemoReport(
    long bytes,
    long blocks,
    String sha256,
    List<Receiver> receivers,
    Links links,
    long sentBySource,
    boolean isRelayKilled,
    Optional<Evil> evil,
    long nanos) {

  public DemoReport {
    receivers = List.copyOf(receivers);
  }

  /**
   * The result of a receiver.
   *
   * @param received the blocks that arrived
   * @param innovative those of use
   * @param overhead the blocks that arrived beyond those needed, as a fraction of these
   * @param nanos the time until the object was complete
   * @param isEqual whether its SHA-256 is that of the source
   */
  public record Receiver(
      long received, long innovative, double overhead, long nanos, boolean isEqual) {}

  /**
   * What links did, counted from senders to receivers.
   *
   * @param packets the packets that senders sent, with those of the transport
   * @param lost those that were lost at random
   * @param duplicated those that arrived twice
   * @param reordered those that overtook others
   */
  public record Links(long packets, long lost, long duplicated, long reordered) {}

  /**
   * The evil relay.
   *
   * @param fingerprint its identity
   * @param bannedBy the receivers that banned it
   * @param wronglyBanned the bans of other peers
   * @param reason why, as one receiver says; empty if none banned it
   */
  public record Evil(String fingerprint, int bannedBy, int wronglyBanned, String reason) {}

  /** Tests whether every receiver has the object. */
  public boolean isEqualEverywhere() {
    return receivers.stream().allMatch(Receiver::isEqual);
  }
}
