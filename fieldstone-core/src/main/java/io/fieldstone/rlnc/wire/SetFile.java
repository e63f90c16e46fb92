package io.fieldstone.rlnc.wire;

import java.util.Objects;

/**
 * A file of a set, by its path below the folder of the originals.
 *
 * @param path one or more names of {@link CodedObject#anyNameBytes} with {@code /} between them, at
 *     most {@value #MAX_PATH_BYTES} bytes in UTF-8
 * @param length the bytes of the file, ≥ 0
 */
public record SetFile(String path, long length) {

  /** The maximum bytes of a path. */
  public static final int MAX_PATH_BYTES = 4096;

  /**
   * Checks the path and the length.
   *
   * @throws IllegalArgumentException if the path is absolute, or has a name that is empty, {@code
   *     .} or {@code ..}, or one that no file can have; the message names it
   */
  public SetFile {
    Objects.requireNonNull(path, "path");
    int bytes = -1;
    for (String name : path.split("/", -1)) {
      bytes += 1 + CodedObject.anyNameBytes(name).length;
    }
    if (bytes > MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "path of %d bytes, more than %d".formatted(bytes, MAX_PATH_BYTES));
    }
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is less than 0");
    }
  }

  /** Returns the number of blocks of k bytes, the last one padded. */
  public long blocks(int blockSize) {
    return Math.ceilDiv(length, blockSize);
  }
}
