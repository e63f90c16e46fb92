package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.object.ReceiverOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The object to fetch, its servers, and the limits of the fetch.
 *
 * @param query the name of the object, or at least 8 digits of its id
 * @param servers the addresses of servers and relays, resolved at each attempt to connect
 * @param state the folder with the servers that are trusted on first use
 * @param trusted the fingerprints of trusted servers; if empty, those in {@code state} and unknown
 *     ones are trusted
 * @param token the token of the servers; may be empty
 * @param maxBytesPerSecond the maximum rate from all servers together; {@link Long#MAX_VALUE} for
 *     none
 * @param isCubic true to ask senders for CUBIC
 * @param windowBytes the memory for generations that are not complete
 * @param stallNanos the time after which a server that sends nothing is dropped
 * @param patienceNanos the time without progress after which the fetch fails
 * @param key decrypts the object; empty if it is not encrypted
 * @param publishers the publishers of whom one must have signed the object; if empty, none needs to
 */
public record FetchSettings(
    String query,
    List<InetSocketAddress> servers,
    Path state,
    List<Fingerprint> trusted,
    String token,
    long maxBytesPerSecond,
    boolean isCubic,
    long windowBytes,
    long stallNanos,
    long patienceNanos,
    Optional<MasterKey> key,
    List<PublisherKey> publishers) {

  /** The maximum number of servers. */
  public static final int MAX_SERVERS = 64;

  private static final long SECOND = 1_000_000_000L;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if there is no server or a number is out of range
   */
  public FetchSettings {
    Objects.requireNonNull(query);
    servers = List.copyOf(servers);
    trusted = List.copyOf(trusted);
    publishers = List.copyOf(publishers);
    if (servers.isEmpty() || servers.size() > MAX_SERVERS) {
      throw new IllegalArgumentException(
          servers.size() + " servers; there must be 1…" + MAX_SERVERS);
    }
    requirePositive("maxBytesPerSecond", maxBytesPerSecond);
    requirePositive("windowBytes", windowBytes);
    requirePositive("stallNanos", stallNanos);
    requirePositive("patienceNanos", patienceNanos);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " is less than 1");
    }
  }

  /** Returns settings with defaults: no token, no limit of the rate, trust on first use. */
  public static FetchSettings of(String query, List<InetSocketAddress> servers, Path state) {
    return new FetchSettings(
        query,
        servers,
        state,
        List.of(),
        "",
        Long.MAX_VALUE,
        false,
        ReceiverOptions.DEFAULT_WINDOW_BYTES,
        10 * SECOND,
        60 * SECOND,
        Optional.empty(),
        List.of());
  }

  /** Returns what the dashboard shows of a fetch with these settings. */
  Snapshot.Self self(Engine engine) {
    return Snapshot.Self.of(
        "fetch", query, "", engine.description(), new Snapshot.Pace(maxBytesPerSecond, isCubic));
  }

  /** Returns these settings for another object. */
  public FetchSettings withQuery(String newQuery) {
    return new FetchSettings(
        newQuery,
        servers,
        state,
        trusted,
        token,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with trusted fingerprints. */
  public FetchSettings withTrusted(List<Fingerprint> fingerprints) {
    return new FetchSettings(
        query,
        servers,
        state,
        fingerprints,
        token,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with a token. */
  public FetchSettings withToken(String newToken) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        newToken,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with a maximum rate and a way of congestion control. */
  public FetchSettings withPacing(long bytesPerSecond, boolean cubic) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        token,
        bytesPerSecond,
        cubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with another window. */
  public FetchSettings withWindowBytes(long bytes) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        token,
        maxBytesPerSecond,
        isCubic,
        bytes,
        stallNanos,
        patienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with other times. */
  public FetchSettings withPatience(long newStallNanos, long newPatienceNanos) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        token,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        newStallNanos,
        newPatienceNanos,
        key,
        publishers);
  }

  /** Returns these settings with or without a key that decrypts. */
  public FetchSettings withKey(Optional<MasterKey> newKey) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        token,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        newKey,
        publishers);
  }

  /** Returns these settings with publishers of whom one must have signed the object. */
  public FetchSettings withPublishers(List<PublisherKey> newPublishers) {
    return new FetchSettings(
        query,
        servers,
        state,
        trusted,
        token,
        maxBytesPerSecond,
        isCubic,
        windowBytes,
        stallNanos,
        patienceNanos,
        key,
        newPublishers);
  }
}
