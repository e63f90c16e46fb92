package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.nio.file.Path;

/** A file that is no shard, or whose header is damaged. */
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

  /** The file. */
  public Path path() {
    return path;
  }

  /** What is wrong with it, without its name. */
  public String problem() {
    return problem;
  }

  /** Where in the file. */
  public long offset() {
    return offset;
  }
}
