package io.fieldstone.net.relay;

import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The sources of a relay, and its limits.
 *
 * @param from the addresses of servers and relays, looked up at each attempt to connect
 * @param endpoint the address, the state and the limits. The state also keeps known servers and the
 *     cache. Half of the memory is for generations that are not complete. Servers receive the token
 *     too
 * @param trusted the fingerprints of trusted servers; if empty, those in the state and unknown ones
 *     are trusted
 * @param isImmediate true to recode blocks before their generation is verified
 * @param cacheBytes the bytes on the disk for verified generations
 * @param maxBlockSize the block size up to which objects are relayed, at most {@value
 *     ServerSettings#MAX_BLOCK_SIZE}. Packets are as large if the path to the client carries them;
 *     those of an immediate relay also have n coefficients
 */
public record RelaySettings(
    List<InetSocketAddress> from,
    EndpointSettings endpoint,
    List<Fingerprint> trusted,
    boolean isImmediate,
    long cacheBytes,
    int maxBlockSize) {

  /** The maximum block size by default: packets fit in Ethernet's. */
  public static final int DEFAULT_MAX_BLOCK_SIZE = 1376;

  /** The maximum number of servers and relays to fetch from. */
  public static final int MAX_SOURCES = 64;

  private static final long DEFAULT_CACHE_BYTES = 16L << 30;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if there is no address, or a number is out of range
   */
  public RelaySettings {
    from = List.copyOf(from);
    trusted = List.copyOf(trusted);
    if (from.isEmpty() || from.size() > MAX_SOURCES) {
      throw new IllegalArgumentException(
          from.size() + " addresses to fetch from; there must be 1…" + MAX_SOURCES);
    }
    EndpointSettings.requirePositive("cacheBytes", cacheBytes);
    if (maxBlockSize < 1 || maxBlockSize > ServerSettings.MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "maxBlockSize %d is not in 1…%d".formatted(maxBlockSize, ServerSettings.MAX_BLOCK_SIZE));
    }
  }

  /**
   * Returns settings with defaults: verified, trust on first use, blocks that fit in Ethernet's.
   */
  public static RelaySettings of(List<InetSocketAddress> from, EndpointSettings endpoint) {
    return new RelaySettings(
        from, endpoint, List.of(), false, DEFAULT_CACHE_BYTES, DEFAULT_MAX_BLOCK_SIZE);
  }

  /** Returns these settings with another address, state or limits. */
  public RelaySettings withEndpoint(UnaryOperator<EndpointSettings> change) {
    return new RelaySettings(
        from, change.apply(endpoint), trusted, isImmediate, cacheBytes, maxBlockSize);
  }

  /** Returns these settings with trusted fingerprints. */
  public RelaySettings withTrusted(List<Fingerprint> value) {
    return new RelaySettings(from, endpoint, value, isImmediate, cacheBytes, maxBlockSize);
  }

  /** Returns these settings with or without recoding before verification. */
  public RelaySettings withImmediate(boolean value) {
    return new RelaySettings(from, endpoint, trusted, value, cacheBytes, maxBlockSize);
  }

  /** Returns these settings with another bound of the disk space. */
  public RelaySettings withCacheBytes(long value) {
    return new RelaySettings(from, endpoint, trusted, isImmediate, value, maxBlockSize);
  }

  /** Returns these settings with another maximum of the block size. */
  public RelaySettings withMaxBlockSize(int value) {
    return new RelaySettings(from, endpoint, trusted, isImmediate, cacheBytes, value);
  }
}
