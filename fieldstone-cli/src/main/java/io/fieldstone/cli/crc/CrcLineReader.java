package io.fieldstone.cli.crc;

import io.fieldstone.crc.ChecksumLine;
import io.fieldstone.crc.CrcModel;
import java.util.Optional;

/**
 * Reads the lines of one list as {@code sha256sum -c} does. One blank or two precede a name: the
 * first line that does not name its algorithm decides for the list. For one thread.
 */
final class CrcLineReader {

  private final CrcModel untagged;
  private boolean hasOneBlank;
  private boolean hasTwoBlanks;

  /**
   * Makes a reader.
   *
   * @param untagged the algorithm of lines that do not name one
   */
  CrcLineReader(CrcModel untagged) {
    this.untagged = untagged;
  }

  /**
   * Reads the next line.
   *
   * @return the line; empty if it has no format of the list or the wrong number of digits
   */
  Optional<CrcLine> read(String line) {
    Optional<CrcLine> tagged = CrcLine.parseTagged(line, untagged);
    return tagged.isPresent()
        ? tagged
        : readUntagged(line).flatMap(found -> CrcLine.of(untagged, found));
  }

  private Optional<ChecksumLine> readUntagged(String line) {
    if (!hasOneBlank) {
      Optional<ChecksumLine> found = ChecksumLine.parse(line, untagged);
      hasTwoBlanks |= found.isPresent();
      if (hasTwoBlanks) {
        return found;
      }
    }
    Optional<ChecksumLine> found = ChecksumLine.parseReversed(line, untagged);
    hasOneBlank |= found.isPresent();
    return found;
  }
}
