package io.fieldstone.rlnc.file;

import java.io.IOException;

/**
 * Thrown when undamaged shards contradict each other: a payload does not match its coding vector.
 */
public final class PollutedShardsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient ShardReport report;

  PollutedShardsException(String name, String finding, ShardReport report) {
    super("'%s' is not recoded: %s".formatted(name, finding));
    this.report = report;
  }

  /** Returns the contents of the shards, and the shards that were left out. */
  public ShardReport report() {
    return report;
  }
}
