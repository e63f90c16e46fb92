package io.fieldstone.rlnc.file;

import java.io.IOException;

/** A shard is not in ascending order: a reason to divide it into runs that are, and start over. */
final class DisorderException extends IOException {
  private static final long serialVersionUID = 1L;
}
