package io.fieldstone.rlnc.file;

import java.io.IOException;

/** Shards are whole and contradict each other: a payload is not what its coding vector says. */
public final class PollutedShardsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient ShardReport report;

  PollutedShardsException(String name, String finding, ShardReport report) {
    super("'%s' is not recoded: %s".formatted(name, finding));
    this.report = report;
  }

  /** What was found in the shards, and which were left out. */
  public ShardReport report() {
    return report;
  }
}
