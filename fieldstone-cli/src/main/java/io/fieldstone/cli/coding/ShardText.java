package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.file.DecodingResult;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.MissingBlocks;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.ShardReport;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.rlnc.file.ShortRankException;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats the messages that the commands on shards share. */
public final class ShardText {

  /** The maximum number of ranges of missing bytes in a line. */
  private static final int MAX_RANGES = 8;

  private ShardText() {}

  /** A rank summary as {@code --json} prints it. */
  record Ranks(long generations, long completeGenerations, int leastRank, long missingBlocks) {
    static Ranks of(RankSummary ranks) {
      return new Ranks(
          ranks.generations(), ranks.complete(), ranks.minRank(), ranks.missingBlocks());
    }
  }

  /**
   * Describes an object, such as {@code film.mkv: 1.5 GiB}, with {@code -v} also {@code in 3072
   * generations of 128 × 4.0 KiB, dense code}.
   */
  static String object(CodedObject object, boolean isVerbose) {
    GenerationShape shape = object.shape();
    String coding =
        isVerbose
            ? " in %s of %d × %s, %s code"
                .formatted(
                    plural(object.generations(), "generation"),
                    shape.blocks(),
                    Units.bytes(shape.blockSize()),
                    shape.code().name())
            : "";
    return "%s: %s%s%s"
        .formatted(
            Printable.line(object.name()),
            Units.bytes(fileLength(object)),
            coding,
            keyId(object)
                .map((isVerbose ? " encrypted with key %s" : ", encrypted with key %s")::formatted)
                .orElse(""));
  }

  /** Describes how much of a decoded file was verified, and which bytes can be used in order. */
  static String verification(DecodingResult result) {
    MissingBlocks missing = result.missing();
    if (missing.isEmpty()) {
      return "verified";
    }
    long first = missing.deliverable(result.length());
    long restored = result.length() - missing.bytes();
    long unverified =
        Math.min(restored, missing.unverified() * result.descriptor().shape().blockSize());
    return "not complete: %s; of %s restored, %s cannot be verified"
        .formatted(
            first == 0
                ? "the first byte is missing"
                : "the first %s are".formatted(plural(first, "byte")),
            plural(restored, "byte"),
            Units.count(unverified));
  }

  /** Describes missing bytes in a clause that names the first ranges of them. */
  static String missing(MissingBlocks missing) {
    String ranges =
        missing.ranges().stream()
            .limit(MAX_RANGES)
            .map(range -> "%d…%d".formatted(range.from(), range.to() - 1))
            .collect(Collectors.joining(", "));
    return "%s %s missing, with zeros in place of %s%s"
        .formatted(
            plural(missing.bytes(), "byte"),
            missing.bytes() == 1 ? "is" : "are",
            ranges,
            missing.ranges().size() > MAX_RANGES ? ", …" : "");
  }

  /**
   * Describes in one clause how many shards were given, and about how many are needed; with {@code
   * -v} also which generations lack blocks.
   */
  static String insufficient(RankSummary ranks, ShardReport report, boolean isVerbose) {
    long given = report.shards().size();
    long needed = given;
    for (RankSummary.ShortGeneration one : ranks.shortGenerations()) {
      // A generation without any block says nothing about the blocks of a shard.
      if (one.rank() > 0) {
        needed = Math.max(needed, Math.ceilDiv(one.blocks() * given, one.rank()));
      }
    }
    return "%s given, %sneeded%s"
        .formatted(
            Units.count(given),
            needed > given ? "about %d ".formatted(needed) : "more ",
            isVerbose ? "; " + ranks.describe() : "");
  }

  /** Returns the line that names the key with which an object was signed; empty if it was not. */
  static String signature(Optional<PublisherKey> publisher) {
    return publisher.map("signed by %s\n"::formatted).orElse("");
  }

  /** Returns the id of the key with which an object is encrypted. */
  static Optional<String> keyId(CodedObject object) {
    return object.manifest().encryption().map(parameters -> "%016x".formatted(parameters.keyId()));
  }

  /** Returns the length of the file in an object, which the tags of an encryption exceed. */
  static long fileLength(CodedObject object) {
    try {
      return object.manifest().encryption().isPresent()
          ? GenerationCipher.plaintextLength(object.manifest())
          : object.length();
    } catch (MalformedDataException _) {
      // No file was encrypted so. Decoding names the reason.
      return object.length();
    }
  }

  /** Formats a time and a rate, such as {@code 0.42 s, 843 MB/s}. */
  public static String took(long bytes, double seconds) {
    long nanos = (long) (seconds * 1e9);
    return Units.duration(nanos) + (bytes == 0 ? "" : ", " + Units.rate(bytes, nanos));
  }

  /** Formats a time and a rate, with {@code --verbose} followed by the engine. */
  public static String took(long bytes, double seconds, Engine engine, boolean isVerbose) {
    return took(bytes, seconds) + (isVerbose ? ", " + engine.summary() : "");
  }

  /** Returns a line for each shard with damaged bytes or header, and for each file left out. */
  static List<String> losses(ShardReport report, boolean isVerbose) {
    List<String> lines = new ArrayList<>();
    for (ShardReport.Shard shard : report.shards()) {
      if (shard.damaged() > 0) {
        long blockBytes = shard.header().descriptor().shape().blockSize();
        lines.add(
            "damaged, without %s: %s"
                .formatted(
                    Units.part(shard.damaged() * blockBytes, shard.records() * blockBytes),
                    shard.path()));
      }
    }
    for (ShardReport.Polluted shard : report.polluted()) {
      lines.add(
          "wrong content%s, replaced by that of other shards: %s"
              .formatted(isVerbose ? wrongGenerations(shard) : "", shard.path()));
    }
    lines.addAll(headersAndFiles(report));
    return lines;
  }

  private static String wrongGenerations(ShardReport.Polluted shard) {
    return " in generation %d%s"
        .formatted(
            shard.generation(),
            shard.generations() == 1
                ? ""
                : " and %s".formatted(plural(shard.generations() - 1, "other")));
  }

  /** Returns the lines of {@link #losses}, without those for damaged bytes. */
  static List<String> headersAndFiles(ShardReport report) {
    List<String> lines = new ArrayList<>();
    for (ShardReport.Shard shard : report.shards()) {
      if (shard.isHeaderDamaged()) {
        lines.add("damaged header, read from another shard instead: " + shard.path());
      }
      if (shard.areHashesDamaged()) {
        lines.add("damaged hashes, not used: " + shard.path());
      }
    }
    for (ShardReport.LeftOut shard : report.leftOut()) {
      lines.add("left out: %s: %s".formatted(shard.reason(), shard.path()));
    }
    return lines;
  }

  /** Joins lines to a text, each ended by a line feed. */
  static String text(List<String> lines) {
    return lines.stream().map(line -> ErrorLine.oneLine(line) + "\n").collect(Collectors.joining());
  }

  /** Returns the failure of a job on shards; prints what they lost before. */
  static Failure failure(IOException e, Session session) {
    if (e instanceof ShardsException shards) {
      print(losses(shards.report(), session.isVerbose()), session.streams().err());
    }
    return switch (e) {
      case FileAlreadyExistsException exists -> Failure.exists(exists);
      case MalformedShardException malformed -> noShard(malformed, session.streams().err());
      case ShortRankException _ -> new Failure("not enough shards", ErrorLine.of(e), e);
      default -> Failure.of(e);
    };
  }

  /** Returns the failure if no file has a valid header; prints each file if there are several. */
  static Failure noShard(MalformedShardException first, PrintStream err) {
    Throwable[] others = first.getSuppressed();
    if (others.length == 0) {
      return new Failure(first.problem(), first.path(), first);
    }
    print(List.of(leftOut(first)), err);
    Stream.of(others).forEach(other -> print(List.of(leftOut(other)), err));
    return new Failure(
        "no valid shard header in %d files".formatted(others.length + 1),
        first.path() + " and others",
        first);
  }

  private static String leftOut(Throwable malformed) {
    return "left out: " + ErrorLine.of(malformed);
  }

  /** Prints warnings to standard error. */
  static void print(List<String> losses, PrintStream err) {
    losses.forEach(line -> err.println(ErrorLine.warning(line)));
  }

  /** Formats a count with its noun, such as {@code 3 shards}. */
  public static String plural(long count, String noun) {
    return Units.count(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
