package io.fieldstone.net.endpoint;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings that servers and relays share: address, state and limits.
 *
 * @param listen the address to listen on; port 0 chooses one
 * @param state the folder of the identity, and of what a restart needs
 * @param token the token that clients must send; empty if all are accepted
 * @param memoryBytes the memory for generations
 * @param maxBytesPerSecond the maximum rate of all clients of files together, and of each client of
 *     a live stream; {@link Long#MAX_VALUE} for none
 * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
 * @param threads the threads that hash and decode
 * @param http the address of the status over HTTP, if it is wanted
 * @param browsers the address of the page for browsers, and of WebTransport, if they are wanted
 */
public record EndpointSettings(
    InetSocketAddress listen,
    Path state,
    String token,
    long memoryBytes,
    long maxBytesPerSecond,
    boolean isCubic,
    int threads,
    Optional<InetSocketAddress> http,
    Optional<InetSocketAddress> browsers) {

  /** The maximum number of loops. */
  private static final int MAX_LOOPS = 16;

  private static final int THREADS_PER_LOOP = 4;
  private static final int DEFAULT_PORT = 4433;
  private static final long DEFAULT_MEMORY_BYTES = 256L << 20;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a number is less than 1
   */
  public EndpointSettings {
    requirePositive("memoryBytes", memoryBytes);
    requirePositive("maxBytesPerSecond", maxBytesPerSecond);
    requirePositive("threads", threads);
  }

  /**
   * Returns the number of loops that serve clients: a quarter of the threads, 1 to 16. More carry
   * more, but cost more processor time when they are idle now and then, because each wakes up for
   * fewer packets.
   */
  public int loops() {
    return Math.clamp(threads / THREADS_PER_LOOP, 1, MAX_LOOPS);
  }

  /** Checks that a value of settings is positive. */
  public static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " is less than 1");
    }
  }

  /** Returns settings with defaults: port 4433 of all addresses, no token, no limit of the rate. */
  public static EndpointSettings of(Path state) {
    return new EndpointSettings(
        InetSocketAddress.createUnresolved("0.0.0.0", DEFAULT_PORT),
        state,
        "",
        DEFAULT_MEMORY_BYTES,
        Long.MAX_VALUE,
        false,
        Runtime.getRuntime().availableProcessors(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns these settings with another address. */
  public EndpointSettings withListen(InetSocketAddress value) {
    return new EndpointSettings(
        value, state, token, memoryBytes, maxBytesPerSecond, isCubic, threads, http, browsers);
  }

  /** Returns these settings with a token. */
  public EndpointSettings withToken(String value) {
    return new EndpointSettings(
        listen, state, value, memoryBytes, maxBytesPerSecond, isCubic, threads, http, browsers);
  }

  /** Returns these settings with another bound of the memory for generations. */
  public EndpointSettings withMemoryBytes(long value) {
    return new EndpointSettings(
        listen, state, token, value, maxBytesPerSecond, isCubic, threads, http, browsers);
  }

  /** Returns these settings with a maximum rate and a way of congestion control. */
  public EndpointSettings withPacing(long bytesPerSecond, boolean cubic) {
    return new EndpointSettings(
        listen, state, token, memoryBytes, bytesPerSecond, cubic, threads, http, browsers);
  }

  /** Returns these settings with another number of threads. */
  public EndpointSettings withThreads(int value) {
    return new EndpointSettings(
        listen, state, token, memoryBytes, maxBytesPerSecond, isCubic, value, http, browsers);
  }

  /** Returns these settings with an address for the status. */
  public EndpointSettings withHttp(Optional<InetSocketAddress> value) {
    return new EndpointSettings(
        listen, state, token, memoryBytes, maxBytesPerSecond, isCubic, threads, value, browsers);
  }

  /** Returns these settings with an address for browsers. */
  public EndpointSettings withBrowsers(Optional<InetSocketAddress> value) {
    return new EndpointSettings(
        listen, state, token, memoryBytes, maxBytesPerSecond, isCubic, threads, http, value);
  }
}
