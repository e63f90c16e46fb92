package io.fieldstone.rlnc.wire;

import java.util.Objects;

/**
 * A file of a set, by its path below the folder of the originals. A restored file gets back its
 * time of modification and its mode.
 *
 * @param path one or more names with {@code /} between them ({@link Names#pathUtf8})
 * @param length the bytes of the file, ≥ 0
 * @param modifiedNs the time of modification in nanoseconds since 1970, or {@link #UNKNOWN_TIME}
 * @param mode the permission bits, 0 to 0777, or {@value #UNKNOWN_MODE}
 */
public record SetFile(String path, long length, long modifiedNs, int mode) {

  /** Stands for a time that is not known. */
  public static final long UNKNOWN_TIME = Long.MIN_VALUE;

  /** Stands for a mode that is not known, as on systems other than Unix. */
  public static final int UNKNOWN_MODE = 0xFFFF;

  private static final int MAX_MODE = 0777;

  /**
   * Creates a file of unknown time and mode.
   *
   * @throws IllegalArgumentException as the other constructor
   */
  public SetFile(String path, long length) {
    this(path, length, UNKNOWN_TIME, UNKNOWN_MODE);
  }

  /**
   * Checks the path, the length and the mode.
   *
   * @throws IllegalArgumentException if the path is absolute, or has a name that is empty, {@code
   *     .} or {@code ..}, or one that no file can have; the message names it
   */
  public SetFile {
    Objects.requireNonNull(path, "path");
    byte[] _ = Names.pathUtf8(path);
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
    if (mode != UNKNOWN_MODE && (mode < 0 || mode > MAX_MODE)) {
      throw new IllegalArgumentException("mode %o is not in 0…%o".formatted(mode, MAX_MODE));
    }
  }

  /** Returns the number of blocks of k bytes, the last one padded. */
  public long blocks(int blockSize) {
    return Math.ceilDiv(length, blockSize);
  }
}
