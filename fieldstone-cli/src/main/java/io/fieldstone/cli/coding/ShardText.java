package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Units;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.file.LeftOutShard;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.ShardReport;
import io.fieldstone.rlnc.file.ShardSummary;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the commands that work on shards say in the same words. */
public final class ShardText {

  private ShardText() {}

  /** A rank summary as {@code --json} prints it. */
  record Ranks(long generations, long completeGenerations, int leastRank, long missingBlocks) {
    static Ranks of(RankSummary ranks) {
      return new Ranks(
          ranks.generations(), ranks.complete(), ranks.minRank(), ranks.missingBlocks());
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
  public static String took(long bytes, double seconds) {
    long nanos = (long) (seconds * 1e9);
    return Units.duration(nanos) + (bytes == 0 ? "" : ", " + Units.rate(bytes, nanos));
  }

  /** A line for each shard that lost blocks or its header, and for each file that was left out. */
  static List<String> losses(ShardReport report) {
    List<String> lines = new ArrayList<>();
    for (ShardSummary shard : report.shards()) {
      if (shard.damaged() > 0) {
        lines.add(
            "dropped %s of %s: %s"
                .formatted(
                    plural(shard.damaged(), "damaged block"),
                    Units.count(shard.records()),
                    shard.path()));
      }
    }
    lines.addAll(headersAndFiles(report));
    return lines;
  }

  /** The lines of {@link #losses} but for those of blocks. */
  static List<String> headersAndFiles(ShardReport report) {
    List<String> lines = new ArrayList<>();
    for (ShardSummary shard : report.shards()) {
      if (shard.isHeaderDamaged()) {
        lines.add("damaged header, replaced by that of another shard: " + shard.path());
      }
    }
    for (LeftOutShard shard : report.leftOut()) {
      lines.add("left out: %s: %s".formatted(shard.reason(), shard.path()));
    }
    return lines;
  }

  /** Lines as a text, each ended by a line break. */
  static String text(List<String> lines) {
    return lines.stream().map(line -> ErrorLine.oneLine(line) + "\n").collect(Collectors.joining());
  }

  /** What to fail with if no file has a good header; if there are several, stderr names each. */
  static Failure noShard(MalformedShardException first, PrintStream err) {
    Throwable[] others = first.getSuppressed();
    if (others.length == 0) {
      return new Failure(first.problem(), first.path(), first);
    }
    print(List.of(leftOut(first)), err);
    Stream.of(others).forEach(other -> print(List.of(leftOut(other)), err));
    return new Failure(
        "no undamaged header of a shard in %d files".formatted(others.length + 1),
        first.path() + " and others",
        first);
  }

  private static String leftOut(Throwable malformed) {
    return "left out: " + ErrorLine.of(malformed);
  }

  /** Says on stderr what was lost and left out. */
  static void print(List<String> losses, PrintStream err) {
    losses.forEach(line -> err.println("fieldstone: " + ErrorLine.oneLine(line)));
  }

  public static String plural(long count, String noun) {
    return Units.count(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
