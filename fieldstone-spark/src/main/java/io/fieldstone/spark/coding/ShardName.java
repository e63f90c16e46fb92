package io.fieldstone.spark.coding;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a shard file, {@code NAME.NN.fst}, as {@code fieldstone encode} gives it.
 *
 * @param object the name of the file, with the folders under the root
 * @param shard the number of the shard
 */
record ShardName(String object, int shard) {

  private static final Pattern SHARD = Pattern.compile("(.+)\\.([0-9]{2,9})\\.fst", Pattern.DOTALL);

  /** Parses a relative path; empty if it is not that of a shard. */
  static Optional<ShardName> parse(String relative) {
    Matcher matcher = SHARD.matcher(relative);
    return matcher.matches()
        ? Optional.of(new ShardName(matcher.group(1), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  /** Returns the last part of the name of the object, which the shards record. */
  static String fileName(String object) {
    return object.substring(object.lastIndexOf('/') + 1);
  }
}
