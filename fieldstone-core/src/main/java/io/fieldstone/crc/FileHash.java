package io.fieldstone.crc;

import java.io.IOException;
import java.nio.file.Path;

/** What became of one of many files. */
public sealed interface FileHash {

  /** The file, as it was given. */
  Path path();

  /**
   * It was read to its end.
   *
   * @param checksum of its bytes
   * @param length how many those were
   */
  record Hashed(Path path, CrcValue checksum, long length) implements FileHash {}

  /**
   * It could not be opened, or not be read to its end.
   *
   * @param cause says why
   */
  record Unreadable(Path path, IOException cause) implements FileHash {}
}
