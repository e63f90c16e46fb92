package io.fieldstone.sort;

import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An open file of records that is read.
 *
 * @param file the file
 * @param name its name in messages
 * @param stamp its stamp, if it may change
 * @param start the bytes before its first record
 * @param size the bytes of its records
 */
record RecordInputFile(OpenFile file, Path name, Optional<FileStamp> stamp, long start, long size) {

  /**
   * Checks a file.
   *
   * @param isNpy whether it is a {@code .npy} file
   * @throws NotWholeRecordsException if it ends within a record
   * @throws IOException if it is a {@code .npy} file of other records, or has more bytes than its
   *     size
   */
  static RecordInputFile of(
      OpenFile file, Path name, Optional<FileStamp> stamp, RecordLayout layout, boolean isNpy)
      throws IOException {
    long size = file.size();
    if (isNpy) {
      NpyHeader header = NpyHeader.read(file, name);
      if (!header.layout(layout.direction()).equals(layout)) {
        throw new FileSystemException(
            name.toString(), null, "an array of %s, not of %s".formatted(header.key(), layout));
      }
      return new RecordInputFile(
          file, name, stamp, header.headerBytes(), size - header.headerBytes());
    }
    if (size % layout.recordBytes() != 0) {
      throw new NotWholeRecordsException(name, size, layout);
    }
    file.requireEnd(size);
    return new RecordInputFile(file, name, stamp, 0, size);
  }

  /** Returns the records as they are sorted. */
  RecordFile records(Optional<RecordCodec> codec) {
    return new RecordFile(file, start, stamp, codec);
  }

  void requireUnchanged() throws IOException {
    if (stamp.isPresent()) {
      stamp.get().requireUnchanged();
    }
  }
}
