package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
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
    if (one.version() != other.version()) {
      return "format version %d against %d".formatted(one.version(), other.version());
    }
    if (!one.name().equals(other.name())) {
      return "file '%s' against '%s'".formatted(one.name(), other.name());
    }
    if (!one.shape().equals(other.shape())) {
      return "%s against %s".formatted(describe(one.shape()), describe(other.shape()));
    }
    if (one instanceof ObjectDescriptor first
        && other instanceof ObjectDescriptor second
        && first.seed() != second.seed()) {
      return "seed %d against %d".formatted(first.seed(), second.seed());
    }
    if (one.length() != other.length()) {
      return "two versions of '%s', of %d and %d bytes"
          .formatted(one.name(), one.length(), other.length());
    }
    if (one instanceof ObjectDescriptor first && other instanceof ObjectDescriptor second) {
      return "two versions of '%s', SHA-256 %s and %s"
          .formatted(one.name(), first.sha256(), second.sha256());
    }
    return "two versions of '%s', id %s and %s".formatted(one.name(), one.idText(), other.idText());
  }
}
