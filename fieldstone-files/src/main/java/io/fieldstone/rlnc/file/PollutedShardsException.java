package io.fieldstone.rlnc.file;

/**
 * Thrown when undamaged shards contradict each other: a payload does not match its coding vector.
 */
public final class PollutedShardsException extends ShardsException {

  private static final long serialVersionUID = 1L;

  PollutedShardsException(String name, String finding, ShardReport report) {
    super("'%s' is not recoded: %s".formatted(name, finding), report);
  }
}
