package io.fieldstone.rlnc.file;

import java.io.IOException;

/**
 * Thrown when the generations of a shard do not ascend, so that it must be divided into runs that
 * do.
 */
final class DisorderException extends IOException {
  private static final long serialVersionUID = 1L;
}
