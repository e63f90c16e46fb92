package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Thrown if the records of a shard are not at the positions that {@link ShardRanges} computed. */
final class IrregularException extends IOException {
  private static final long serialVersionUID = 1L;
}
