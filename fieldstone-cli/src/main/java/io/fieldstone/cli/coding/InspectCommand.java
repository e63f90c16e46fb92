package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.file.GenerationListener;
import io.fieldstone.rlnc.file.InspectionResult;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.ShardInspector;
import io.fieldstone.rlnc.file.ShardReport;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone inspect}: describes shards and checks whether they can be decoded. */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "inspect",
    sortOptions = false,
    customSynopsis = "fieldstone inspect SHARD... [OPTION]...",
    description = {
      "Describe shards, and check whether together they are enough to restore the file. If they are"
          + " not, the exit status is 1.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone inspect film.mkv.03.fst            describe one shard",
      "  fieldstone inspect shards/*.fst               describe all shards of a file",
    })
public final class InspectCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "SHARD", description = "Shards of one file.")
  private List<Path> shards = List.of();

  /**
   * Consecutive generations of which the shards hold the same number of blocks and the same rank.
   *
   * @param n the source blocks of each generation
   * @param codedBlocks the undamaged blocks of each generation in the shards
   * @param rank the rank of these blocks
   */
  private record Run(long first, long last, int n, long codedBlocks, int rank) {

    boolean continues(long generation, int blocks, long coded, int generationRank) {
      return generation == last + 1
          && blocks == n
          && coded == codedBlocks
          && generationRank == rank;
    }

    Run until(long generation) {
      return new Run(first, generation, n, codedBlocks, rank);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    InputFiles.recover(shards);
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
    }
    try (Engine engine = session.openCores()) {
      List<Run> runs = new ArrayList<>();
      InspectionResult result = new ShardInspector(engine).inspect(shards, new RunCollector(runs));
      session.print(Result.of(result, runs), () -> text(result, runs, session.isVerbose()));
      session.streams().requireWritten();
      if (!result.ranks().isComplete()) {
        throw new Failure(
            "not enough shards",
            ShardText.insufficient(result.ranks(), result.report(), session.isVerbose()));
      }
      return ExitCode.OK;
    } catch (MalformedShardException e) {
      throw ShardText.noShard(e, session.streams().err());
    }
  }

  /** Collects the generations in runs. */
  private record RunCollector(List<Run> runs) implements GenerationListener {
    @Override
    public void start() {
      runs.clear();
    }

    @Override
    public void generation(long generation, int n, long coded, int rank) {
      if (!runs.isEmpty() && runs.getLast().continues(generation, n, coded, rank)) {
        runs.set(runs.size() - 1, runs.getLast().until(generation));
      } else {
        runs.add(new Run(generation, generation, n, coded, rank));
      }
    }
  }

  private static final Pattern NUMBER = Pattern.compile("(.+)\\.(\\d{2,})\\.fst", Pattern.DOTALL);

  /**
   * The publisher record in the header of a shard.
   *
   * @param publisher the key of a valid record
   * @param problem the reason why the record is wrong
   */
  private record Signature(Optional<PublisherKey> publisher, Optional<String> problem) {

    private static final Signature NONE = new Signature(Optional.empty(), Optional.empty());

    static Signature of(ShardReport.Shard shard) {
      try {
        return shard.isHeaderDamaged()
            ? NONE
            : new Signature(
                PublisherRecord.verified(shard.header()).map(PublisherRecord::publisher),
                Optional.empty());
      } catch (MalformedDataException e) {
        return new Signature(Optional.empty(), Optional.ofNullable(e.getMessage()));
      }
    }
  }

  /** A shard as {@code --json} prints it. */
  private record Shard(
      String file,
      long blocks,
      long damagedBlocks,
      boolean hasDamagedHeader,
      boolean hasDamagedHashes,
      boolean hasVectors,
      Optional<String> publisher,
      boolean hasWrongPublisherRecord) {}

  /** The result as {@code --json} prints it. */
  private record Result(
      int format,
      String id,
      String name,
      long bytes,
      Optional<String> keyId,
      String code,
      int n,
      int k,
      List<Shard> shards,
      List<String> leftOut,
      List<Run> generations,
      ShardText.Ranks ranks,
      boolean isComplete) {

    static Result of(InspectionResult result, List<Run> runs) {
      CodedObject object = result.descriptor();
      return new Result(
          ShardHeader.VERSION,
          object.idText(),
          object.name(),
          ShardText.fileLength(object),
          ShardText.keyId(object),
          object.shape().code().name(),
          object.shape().blocks(),
          object.shape().blockSize(),
          result.report().shards().stream().map(Result::shard).toList(),
          result.report().leftOut().stream().map(shard -> shard.path().toString()).toList(),
          List.copyOf(runs),
          ShardText.Ranks.of(result.ranks()),
          result.ranks().isComplete());
    }

    private static Shard shard(ShardReport.Shard shard) {
      Signature signature = Signature.of(shard);
      return new Shard(
          shard.path().toString(),
          shard.records(),
          shard.damaged(),
          shard.isHeaderDamaged(),
          shard.areHashesDamaged(),
          shard.header().vectors(),
          signature.publisher().map(PublisherKey::toString),
          signature.problem().isPresent());
    }
  }

  private static String text(InspectionResult result, List<Run> runs, boolean isVerbose) {
    CodedObject object = result.descriptor();
    TextTable facts =
        new TextTable()
            .text("")
            .text("")
            .row("id", object.idText())
            .row("file", object.name())
            .row("length", Units.count(ShardText.fileLength(object)) + " bytes");
    ShardText.keyId(object).ifPresent(key -> facts.row("key", key));
    List<String> wrongRecords = new ArrayList<>();
    addPublishers(result, facts, wrongRecords);
    if (isVerbose) {
      facts
          .row("format", ShardHeader.VERSION)
          .row(
              "coding",
              "%s of n = %d blocks of k = %s"
                  .formatted(
                      ShardText.plural(object.generations(), "generation"),
                      object.shape().blocks(),
                      ShardText.plural(object.shape().blockSize(), "byte")))
          .row("code", object.shape().code().name());
    }
    return (result.report().shards().size() == 1 ? single(result, runs) : "")
        + facts
        + "\n"
        + (isVerbose ? blocks(result) : sizes(result))
        + ShardText.text(ShardText.headersAndFiles(result.report()))
        + ShardText.text(wrongRecords)
        + (runs.isEmpty() || !isVerbose ? "" : "\n" + ranks(runs))
        + "\n"
        + (result.ranks().isComplete()
            ? "enough to restore the file\n"
            : shortOf(result, isVerbose));
  }

  /** Returns the bytes of each shard, and how many of them are damaged. */
  private static TextTable sizes(InspectionResult result) {
    TextTable sizes = new TextTable().text("shard").number("bytes").number("damaged");
    long blockBytes = result.descriptor().shape().blockSize();
    for (ShardReport.Shard shard : result.report().shards()) {
      sizes.row(
          shard.path(),
          Units.count(shard.records() * blockBytes),
          Units.count(shard.damaged() * blockBytes));
    }
    return sizes;
  }

  private static TextTable blocks(InspectionResult result) {
    TextTable blocks =
        new TextTable().text("shard").number("blocks").number("damaged").text("vectors");
    for (ShardReport.Shard shard : result.report().shards()) {
      blocks.row(
          shard.path(),
          Units.count(shard.records()),
          Units.count(shard.damaged()),
          shard.header().vectors() ? "in full" : "as seeds");
    }
    return blocks;
  }

  private static TextTable ranks(List<Run> runs) {
    TextTable ranks =
        new TextTable().text("generations").number("blocks").number("rank").number("of n");
    for (Run run : runs) {
      ranks.row(
          run.first() == run.last() ? run.first() : run.first() + " … " + run.last(),
          run.codedBlocks(),
          run.rank(),
          run.n());
    }
    return ranks;
  }

  /** Describes a shard that is alone: its number, and how many such shards restore the file. */
  private static String single(InspectionResult result, List<Run> runs) {
    Path shard = result.report().shards().getFirst().path();
    long needed = 0;
    for (Run run : runs) {
      needed = Math.max(needed, run.rank() == 0 ? 0 : Math.ceilDiv(run.n(), run.rank()));
    }
    Matcher number = NUMBER.matcher(String.valueOf(shard.getFileName()));
    boolean isCertain = result.descriptor().shape().code() instanceof Code.Cauchy;
    String name = Printable.line(result.descriptor().name());
    String shardOf =
        number.matches() ? "shard " + number.group(2) + siblings(shard, number, needed) : "a shard";
    return needed == 0
        ? "%s of %s\n".formatted(shardOf, name)
        : "%s, any %d %srestore %s\n"
            .formatted(shardOf, needed, isCertain ? "" : "almost certainly ", name);
  }

  /**
   * Returns the number of shards of the same name in the folder of one, such as {@code " of 6"};
   * nothing if there are fewer than needed, because others are elsewhere.
   */
  private static String siblings(Path shard, Matcher number, long needed) {
    Path folder = Optional.ofNullable(shard.toAbsolutePath().getParent()).orElse(shard);
    try (Stream<Path> files = Files.list(folder)) {
      long count =
          files
              .map(file -> NUMBER.matcher(String.valueOf(file.getFileName())))
              .filter(other -> other.matches() && other.group(1).equals(number.group(1)))
              .count();
      return count >= needed ? " of %d".formatted(count) : "";
    } catch (IOException | UncheckedIOException e) {
      return ""; // the folder may not be readable
    }
  }

  /**
   * Adds a row for each publisher, with the number of its shards if it has not signed all.
   *
   * @param wrongRecords gets a line for each shard whose record is wrong
   */
  private static void addPublishers(
      InspectionResult result, TextTable facts, List<String> wrongRecords) {
    Map<PublisherKey, Integer> shards = new LinkedHashMap<>();
    for (ShardReport.Shard shard : result.report().shards()) {
      Signature signature = Signature.of(shard);
      signature.publisher().ifPresent(key -> shards.merge(key, 1, Integer::sum));
      signature
          .problem()
          .ifPresent(problem -> wrongRecords.add("%s: %s".formatted(problem, shard.path())));
    }
    int all = result.report().shards().size();
    shards.forEach((key, count) ->
        facts.row(
            "publisher", count == all ? key : "%s, %d of %d shards".formatted(key, count, all)));
  }

  private static String shortOf(InspectionResult result, boolean isVerbose) {
    RankSummary ranks = result.ranks();
    long bytes = ranks.missingBlocks() * result.descriptor().shape().blockSize();
    return "not enough to restore the file: %s missing%s\n"
        .formatted(
            ShardText.plural(bytes, "byte"),
            isVerbose
                ? ", %s in %s of %s"
                    .formatted(
                        ShardText.plural(ranks.missingBlocks(), "block"),
                        Units.count(ranks.generations() - ranks.complete()),
                        ShardText.plural(ranks.generations(), "generation"))
                : "");
  }
}
