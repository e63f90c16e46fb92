package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.nio.file.Path;

/** A file that is no shard, or whose header is damaged. */
public final class MalformedShardException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path path;
  private final long offset;

  MalformedShardException(Path path, MalformedDataException cause) {
    super(path + ": " + cause.getMessage(), cause);
    this.path = path;
    this.offset = cause.offset();
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** Where in the file. */
  public long offset() {
    return offset;
  }
}
