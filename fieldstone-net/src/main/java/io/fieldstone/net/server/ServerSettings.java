package io.fieldstone.net.server;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The files that a server offers, and its limits.
 *
 * @param paths files and folders
 * @param endpoint the address, the state and the limits. Loops share the memory equally
 * @param offers how files become objects; k is at most {@value #MAX_BLOCK_SIZE}
 * @param rescanNanos the time between scans for new and changed files, for each {@value
 *     #FILES_PER_RESCAN} files or part of them
 * @param maxAwayNanos the time after which a file that is not there counts as removed
 */
public record ServerSettings(
    List<Path> paths,
    EndpointSettings endpoint,
    OfferOptions offers,
    long rescanNanos,
    long maxAwayNanos) {

  /** The files for which a scan may follow the last one after the shortest time. */
  public static final int FILES_PER_RESCAN = 2_000;

  /** The maximum block size: a block and its header must fit in a datagram of a path. */
  public static final int MAX_BLOCK_SIZE = 8192;

  /**
   * The default block size. Its packets have at most 1200 bytes of UDP payload, which every path of
   * QUIC carries (RFC 9000, section 14), so also one with an MTU of 1280. No discovery of the MTU
   * is needed.
   */
  public static final int DEFAULT_BLOCK_SIZE = 1152;

  /** The shape of objects by default: blocks that fit in packets of Ethernet. */
  public static final GenerationShape DEFAULT_SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, DEFAULT_BLOCK_SIZE);

  private static final long DEFAULT_RESCAN_NANOS = 2_000_000_000L;
  private static final long DEFAULT_MAX_AWAY_NANOS = 10_000_000_000L;

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
    EndpointSettings.requirePositive("rescanNanos", rescanNanos);
    EndpointSettings.requirePositive("maxAwayNanos", maxAwayNanos);
  }

  /**
   * Returns settings with defaults: objects of {@link #DEFAULT_SHAPE}, a scan each 2 s, 10 s for
   * files that are away.
   */
  public static ServerSettings of(List<Path> paths, EndpointSettings endpoint) {
    return new ServerSettings(
        paths,
        endpoint,
        OfferOptions.of(DEFAULT_SHAPE),
        DEFAULT_RESCAN_NANOS,
        DEFAULT_MAX_AWAY_NANOS);
  }

  /** Returns these settings with another address, state or limits. */
  public ServerSettings withEndpoint(UnaryOperator<EndpointSettings> change) {
    return new ServerSettings(paths, change.apply(endpoint), offers, rescanNanos, maxAwayNanos);
  }

  /** Returns these settings with another way to make objects of files. */
  public ServerSettings withOffers(OfferOptions value) {
    return new ServerSettings(paths, endpoint, value, rescanNanos, maxAwayNanos);
  }

  /** Returns these settings with another time between scans for new and changed files. */
  public ServerSettings withRescanNanos(long value) {
    return new ServerSettings(paths, endpoint, offers, value, maxAwayNanos);
  }

  /** Returns these settings with another time after which a missing file counts as removed. */
  public ServerSettings withMaxAwayNanos(long value) {
    return new ServerSettings(paths, endpoint, offers, rescanNanos, value);
  }
}
