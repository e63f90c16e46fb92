package io.fieldstone.sort;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Thrown when the size of a file is not a multiple of the record size. */
public final class NotWholeRecordsException extends FileSystemException {

  private static final long serialVersionUID = 1L;

  NotWholeRecordsException(Path file, long length, RecordLayout layout) {
    super(
        file.toString(),
        null,
        "size %d is not a multiple of %d, the bytes of a record (%s)"
            .formatted(length, layout.recordBytes(), layout));
  }
}
