package io.fieldstone.net.relay;

import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The sources of a relay, and its limits.
 *
 * @param from the addresses of servers and relays, looked up at each attempt to connect
 * @param listen the address to listen on; port 0 chooses one
 * @param state the folder of the identity, of known servers and of the cache
 * @param trusted the fingerprints of trusted servers; if empty, those in {@code state} and unknown
 *     ones are trusted
 * @param token the token that clients must send, and that servers receive; empty for none
 * @param isImmediate true to recode blocks before their generation is verified
 * @param memoryBytes the memory for generations, half of it for those that are not complete
 * @param cacheBytes the bytes on the disk for verified generations
 * @param maxBytesPerSecond the maximum rate of each client; {@link Long#MAX_VALUE} for none
 * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
 * @param threads the threads that decode and hash
 * @param http the address of the status over HTTP, if it is wanted
 */
public record RelaySettings(
    List<InetSocketAddress> from,
    InetSocketAddress listen,
    Path state,
    List<Fingerprint> trusted,
    String token,
    boolean isImmediate,
    long memoryBytes,
    long cacheBytes,
    long maxBytesPerSecond,
    boolean isCubic,
    int threads,
    Optional<InetSocketAddress> http) {

  /** The maximum block size of objects: a relay sends packets that fit in Ethernet's. */
  public static final int MAX_BLOCK_SIZE = 1376;

  /** The maximum number of servers and relays to fetch from. */
  public static final int MAX_SOURCES = 64;

  private static final int DEFAULT_PORT = 4433;
  private static final long DEFAULT_MEMORY_BYTES = 256L << 20;
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
    requirePositive("memoryBytes", memoryBytes);
    requirePositive("cacheBytes", cacheBytes);
    requirePositive("maxBytesPerSecond", maxBytesPerSecond);
    requirePositive("threads", threads);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " is less than 1");
    }
  }

  /** Returns settings with defaults: verified, port 4433 of all addresses, no token, no limit. */
  public static RelaySettings of(List<InetSocketAddress> from, Path state) {
    return new RelaySettings(
        from,
        InetSocketAddress.createUnresolved("0.0.0.0", DEFAULT_PORT),
        state,
        List.of(),
        "",
        false,
        DEFAULT_MEMORY_BYTES,
        DEFAULT_CACHE_BYTES,
        Long.MAX_VALUE,
        false,
        Runtime.getRuntime().availableProcessors(),
        Optional.empty());
  }

  /** Returns these settings with another address. */
  public RelaySettings withListen(InetSocketAddress address) {
    return new RelaySettings(
        from,
        address,
        state,
        trusted,
        token,
        isImmediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        http);
  }

  /** Returns these settings with trusted fingerprints. */
  public RelaySettings withTrusted(List<Fingerprint> fingerprints) {
    return new RelaySettings(
        from,
        listen,
        state,
        fingerprints,
        token,
        isImmediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        http);
  }

  /** Returns these settings with a token. */
  public RelaySettings withToken(String newToken) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        newToken,
        isImmediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        http);
  }

  /** Returns these settings with or without recoding before verification. */
  public RelaySettings withImmediate(boolean immediate) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        token,
        immediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        http);
  }

  /** Returns these settings with other bounds of memory and disk. */
  public RelaySettings withBytes(long newMemoryBytes, long newCacheBytes) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        token,
        isImmediate,
        newMemoryBytes,
        newCacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        http);
  }

  /** Returns these settings with a maximum rate and a way of congestion control. */
  public RelaySettings withPacing(long bytesPerSecond, boolean cubic) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        token,
        isImmediate,
        memoryBytes,
        cacheBytes,
        bytesPerSecond,
        cubic,
        threads,
        http);
  }

  /** Returns these settings with another number of threads. */
  public RelaySettings withThreads(int count) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        token,
        isImmediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        count,
        http);
  }

  /** Returns these settings with an address for the status. */
  public RelaySettings withHttp(Optional<InetSocketAddress> address) {
    return new RelaySettings(
        from,
        listen,
        state,
        trusted,
        token,
        isImmediate,
        memoryBytes,
        cacheBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        address);
  }
}
