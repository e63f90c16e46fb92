package io.fieldstone.sort;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when the size of a file is not a multiple of the record size. */
public final class NotWholeRecordsException extends IOException {

  private static final long serialVersionUID = 1L;

  NotWholeRecordsException(Path file, long length, RecordLayout layout) {
    super(
        "%s: size %d is not a multiple of %d, the bytes of a record (%s)"
            .formatted(file, length, layout.recordBytes(), layout));
  }
}
