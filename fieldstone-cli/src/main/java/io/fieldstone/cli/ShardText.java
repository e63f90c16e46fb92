package io.fieldstone.cli;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.ShardSummary;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.util.List;

/** What the commands that work on shards say in the same words. */
final class ShardText {

  private ShardText() {}

  /** A rank summary as {@code --json} prints it. */
  record Ranks(long generations, long completeGenerations, int leastRank, long missingBlocks) {
    static Ranks of(RankSummary ranks) {
      return new Ranks(
          ranks.generations(), ranks.complete(), ranks.leastRank(), ranks.missingBlocks());
    }
  }

  /** {@code film.mkv: 1.5 GiB in 3072 generations of 128 × 4.0 KiB, dense code}. */
  static String object(ObjectDescriptor object) {
    GenerationShape shape = object.shape();
    return "%s: %s in %s of %d × %s, %s code"
        .formatted(
            object.name(),
            Units.bytes(object.length()),
            plural(object.generations(), "generation"),
            shape.blocks(),
            Units.bytes(shape.blockSize()),
            shape.code().name());
  }

  /** {@code 0.42 s, 843 MB/s}. */
  static String took(long bytes, double seconds) {
    long nanos = (long) (seconds * 1e9);
    return Units.duration(nanos) + (bytes == 0 ? "" : ", " + Units.rate(bytes, nanos));
  }

  /** A line for each shard that lost blocks, and for each file that was left out. */
  static String losses(List<ShardSummary> shards, List<MalformedShardException> malformed) {
    StringBuilder text = new StringBuilder();
    for (ShardSummary shard : shards) {
      if (shard.damaged() > 0) {
        text.append(
            "dropped %s of %s: %s%n"
                .formatted(
                    plural(shard.damaged(), "damaged block"),
                    Units.count(shard.records()),
                    shard.path()));
      }
    }
    for (MalformedShardException one : malformed) {
      text.append("left out, no shard: ").append(ErrorLine.of(one)).append('\n');
    }
    return text.toString();
  }

  static String plural(long count, String noun) {
    return Units.count(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
