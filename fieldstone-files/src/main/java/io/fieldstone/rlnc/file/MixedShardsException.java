package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown when shards belong to different objects, or to different versions of one. */
public final class MixedShardsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Path first;
  private final transient Path second;

  MixedShardsException(Path first, CodedObject one, Path second, CodedObject other) {
    super(
        "%s and %s are not shards of the same file: %s"
            .formatted(first, second, difference(one, other)));
    this.first = first;
    this.second = second;
  }

  /** Returns one of the two shards. */
  public Path first() {
    return first;
  }

  /** Returns the other shard. */
  public Path second() {
    return second;
  }

  private static String describe(GenerationShape shape) {
    return "generations of %d × %d bytes, %s code"
        .formatted(shape.blocks(), shape.blockSize(), shape.code().name());
  }

  private static String difference(CodedObject one, CodedObject other) {
    if (!one.name().equals(other.name())) {
      return "file '%s' against '%s'".formatted(one.name(), other.name());
    }
    if (!one.shape().equals(other.shape())) {
      return "%s against %s".formatted(describe(one.shape()), describe(other.shape()));
    }
    if (one.length() != other.length()) {
      return "two versions of '%s', of %d and %d bytes"
          .formatted(one.name(), one.length(), other.length());
    }
    return "two versions of '%s', id %s and %s".formatted(one.name(), one.idText(), other.idText());
  }
}
