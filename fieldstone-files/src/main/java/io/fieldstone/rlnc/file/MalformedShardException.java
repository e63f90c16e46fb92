package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a file is not a shard, or its header is damaged. */
public final class MalformedShardException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path path;
  private final long offset;
  private final String problem;

  MalformedShardException(Path path, MalformedDataException cause) {
    super(path + ": " + cause.getMessage(), cause);
    this.path = path;
    this.offset = cause.offset();
    this.problem = String.valueOf(cause.getMessage());
  }

  /** Returns the path of the file. */
  public Path path() {
    return path;
  }

  /** Returns the problem without the name of the file. */
  public String problem() {
    return problem;
  }

  /** Returns the offset of the problem in the file in bytes. */
  public long offset() {
    return offset;
  }
}
