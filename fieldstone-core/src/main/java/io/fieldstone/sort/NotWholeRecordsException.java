package io.fieldstone.sort;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when the size of a file is not a multiple of the record size. */
public final class NotWholeRecordsException extends IOException {

  private static final long serialVersionUID = 1L;

  NotWholeRecordsException(Path file, long length, RecordLayout layout) {
    super(
        ("%s: %d bytes are not a multiple of %d bytes per record (%s): %d are left after the last"
                + " at byte %d")
            .formatted(
                file,
                length,
                layout.recordBytes(),
                layout,
                length % layout.recordBytes(),
                length - length % layout.recordBytes()));
  }
}
