package io.fieldstone.net.server;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.catalogue.OfferOptions;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files that a server offers, and its limits.
 *
 * @param paths files and folders
 * @param listen the address to listen on; port 0 chooses one
 * @param state the folder of the identity, and of the hashes of files
 * @param token the token that clients must send; empty if all are accepted
 * @param offers how files become objects; k is at most {@value #MAX_BLOCK_SIZE}
 * @param memoryBytes the memory for generations that clients want; loops share it equally
 * @param maxBytesPerSecond the maximum rate of each connection; {@link Long#MAX_VALUE} for none
 * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
 * @param threads the threads that hash files; clients are served by a quarter as many loops, at
 *     least 1 and at most {@value #MAX_LOOPS}
 * @param rescanNanos the time between looks for new and changed files
 * @param http the address of the status over HTTP, if it is wanted
 */
public record ServerSettings(
    List<Path> paths,
    InetSocketAddress listen,
    Path state,
    String token,
    OfferOptions offers,
    long memoryBytes,
    long maxBytesPerSecond,
    boolean isCubic,
    int threads,
    long rescanNanos,
    Optional<InetSocketAddress> http) {

  /** The maximum block size: a block and its header must fit in a datagram of a path. */
  public static final int MAX_BLOCK_SIZE = 8192;

  /** The shape of objects by default: blocks that fit in packets of Ethernet. */
  public static final GenerationShape DEFAULT_SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1200);

  /** The maximum number of loops. */
  private static final int MAX_LOOPS = 16;

  private static final int DEFAULT_PORT = 4433;
  private static final long DEFAULT_MEMORY_BYTES = 256L << 20;
  private static final long DEFAULT_RESCAN_NANOS = 2_000_000_000L;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if there is no path or a number is out of range
   */
  public ServerSettings {
    paths = List.copyOf(paths);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("no files to serve");
    }
    int blockSize = offers.shape().blockSize();
    if (blockSize > MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "block size %d; the maximum is %d".formatted(blockSize, MAX_BLOCK_SIZE));
    }
    requirePositive("memoryBytes", memoryBytes);
    requirePositive("maxBytesPerSecond", maxBytesPerSecond);
    requirePositive("threads", threads);
    requirePositive("rescanNanos", rescanNanos);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " is less than 1");
    }
  }

  /** Returns settings with defaults: port 4433 of all addresses, no token, no limit of the rate. */
  public static ServerSettings of(List<Path> paths, Path state) {
    return new ServerSettings(
        paths,
        InetSocketAddress.createUnresolved("0.0.0.0", DEFAULT_PORT),
        state,
        "",
        OfferOptions.of(DEFAULT_SHAPE),
        DEFAULT_MEMORY_BYTES,
        Long.MAX_VALUE,
        false,
        Runtime.getRuntime().availableProcessors(),
        DEFAULT_RESCAN_NANOS,
        Optional.empty());
  }

  /**
   * Returns the number of loops that serve clients. More carry more, but cost more processor time
   * when they are idle now and then, because each wakes up for fewer packets.
   */
  int loops() {
    return Math.clamp(threads / 4, 1, MAX_LOOPS);
  }

  /** Returns these settings with another address. */
  public ServerSettings withListen(InetSocketAddress address) {
    return new ServerSettings(
        paths,
        address,
        state,
        token,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with another folder of the identity. */
  public ServerSettings withState(Path folder) {
    return new ServerSettings(
        paths,
        listen,
        folder,
        token,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with a token. */
  public ServerSettings withToken(String newToken) {
    return new ServerSettings(
        paths,
        listen,
        state,
        newToken,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with another way to make objects of files. */
  public ServerSettings withOffers(OfferOptions newOffers) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        newOffers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with another memory. */
  public ServerSettings withMemoryBytes(long bytes) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        offers,
        bytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with a maximum rate and a way of congestion control. */
  public ServerSettings withPacing(long bytesPerSecond, boolean cubic) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        offers,
        memoryBytes,
        bytesPerSecond,
        cubic,
        threads,
        rescanNanos,
        http);
  }

  /** Returns these settings with another number of threads. */
  public ServerSettings withThreads(int count) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        count,
        rescanNanos,
        http);
  }

  /** Returns these settings with another time between scans. */
  public ServerSettings withRescanNanos(long nanos) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        nanos,
        http);
  }

  /** Returns these settings with an address for the status. */
  public ServerSettings withHttp(Optional<InetSocketAddress> address) {
    return new ServerSettings(
        paths,
        listen,
        state,
        token,
        offers,
        memoryBytes,
        maxBytesPerSecond,
        isCubic,
        threads,
        rescanNanos,
        address);
  }
}
