package io.fieldstone.crc;

import java.io.IOException;
import java.nio.file.Path;

/** The result of hashing one of many files. */
public sealed interface FileHash {

  /** Returns the file as given. */
  Path path();

  /**
   * A file that was read to its end.
   *
   * @param checksum the checksum of its bytes
   * @param length the bytes of the file
   */
  record Hashed(Path path, CrcValue checksum, long length) implements FileHash {}

  /**
   * A file that could not be opened or read to its end.
   *
   * @param cause the reason
   */
  record Unreadable(Path path, IOException cause) implements FileHash {}
}
