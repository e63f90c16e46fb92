package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Workload;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.RecodingResult;
import io.fieldstone.rlnc.file.ShardLayout;
import io.fieldstone.rlnc.file.ShardRecoder;
import io.fieldstone.rlnc.file.ShardRestorer;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.rlnc.file.ShortRankException;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone recode}: makes a new shard from shards, without decoding. */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "recode",
    sortOptions = false,
    customSynopsis = "fieldstone recode SHARD... -o SHARD [OPTION]...",
    description = {
      "Make a new shard from any shards of a file, without the file.",
      "",
      "If the shards are sufficient to decode, it is one that is missing, with the blocks that"
          + " 'encode' gave it: any K of N shards restore the file as before. --shard chooses"
          + " which.",
      "",
      "Otherwise, and with --blocks or --seed, its blocks are random linear combinations of all"
          + " blocks in the given shards. A decoder can use them like any other block, up to the"
          + " rank of the given shards. If the shards hold more blocks than their rank, they are"
          + " first checked against each other, because a combination of wrong blocks is wrong.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone recode shards/*.fst -o shards/film.01.fst",
      "  fieldstone recode shards/*.fst -o new.fst --shard 01",
      "  fieldstone recode film.03.fst film.07.fst -o film.new.fst",
      "  fieldstone recode shards/*.fst -o all.fst --blocks 140",
    })
public final class RecodeCommand implements Callable<Integer> {

  /** The maximum number of shards that are named. */
  private static final int MAX_NAMED = 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "SHARD", description = "Shards of one file.")
  private List<Path> shards = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "SHARD",
      required = true,
      description = "New shard; - for standard output.")
  private Path output = Path.of("");

  @Option(names = "--force", description = "Replace the new shard if it exists.")
  private boolean force;

  @Option(
      names = "--shard",
      paramLabel = "NN",
      converter = Converters.Count.class,
      description = {
        "Make the shard with this number, as 'encode' made it (default: the first that is missing,"
            + " if the shards are sufficient to decode)."
      })
  private Optional<Long> number = Optional.empty();

  @Option(
      names = "--blocks",
      paramLabel = "COUNT",
      converter = Converters.Count.class,
      description = {
        "Make this many random combinations per generation (default: as many as a shard needs to"
            + " count as one of any K)."
      })
  private Optional<Long> blocks = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "S",
      converter = Converters.Seed.class,
      description = "Seed of the random combinations (default: random).")
  private Optional<Long> seed = Optional.empty();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    requireOptions();
    InputFiles.recover(shards);
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
    }
    boolean isStream = InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isStream);
    InputFiles.requireOther(spec, shards, output);
    InputFiles.requireWritable(InputFiles.target(output));
    try {
      ShardLayout layout = ShardLayout.of(shards);
      Optional<Made> restored = restored(session, layout);
      Made made = restored.isPresent() ? restored.get() : recoded(session, layout);
      session.printProfile(made.result().profile());
      if (!isStream) {
        session.print(Result.of(made), () -> text(made, session.isVerbose()));
      } else if (made.result().uncheckedGenerations() > 0) {
        session.warn(checks(made.result(), session.isVerbose()));
      }
      return ExitCode.OK;
    } catch (ShardsException | MalformedShardException | FileAlreadyExistsException e) {
      throw ShardText.failure(e, session);
    }
  }

  private void requireOptions() {
    if (blocks.isPresent()) {
      Converters.requireInRange(
          spec, "--blocks", blocks.orElseThrow(), 1, EncodingParameters.MAX_CODED_BLOCKS);
    }
    if (number.isPresent() && (blocks.isPresent() || seed.isPresent())) {
      throw Converters.usage(
          spec, "--shard determines %s".formatted(blocks.isPresent() ? "--blocks" : "--seed"));
    }
  }

  /**
   * A new shard.
   *
   * @param number its number, if the encoder made the same
   * @param seed the seed of random combinations, if it has them
   * @param engine a description of the engine
   */
  private record Made(
      RecodingResult result,
      ShardLayout layout,
      OptionalInt number,
      OptionalLong seed,
      String engine) {

    /** Returns the numbers of the shards that are missing besides the new one. */
    List<Integer> missing() {
      return layout.original().stream()
          .filter(ShardLayout.Original::isCountKnown)
          .flatMap(original -> original.missing().stream())
          .filter(shard -> number.isEmpty() || shard != number.getAsInt())
          .toList();
    }

    /** Returns the number of shards of which any selection restores the file. */
    OptionalInt sufficient() {
      return result.ranks().isComplete()
          ? layout.original().map(ShardLayout.Original::sufficient).orElse(OptionalInt.empty())
          : OptionalInt.empty();
    }
  }

  /** Makes the shard that is asked for or missing; empty if there is none that is certain. */
  private Optional<Made> restored(Session session, ShardLayout layout)
      throws IOException, InterruptedException, Failure {
    OptionalInt chosen = chosen(layout);
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    ShardLayout.Original original = layout.original().orElseThrow();
    long length = layout.object().length();
    int count = layout.object().shape().blocks();
    try (Engine engine = session.openEngine(Workload.ofBlocks(length, count));
        Progress progress = session.progress("recode", length)) {
      ShardRestorer replacing = new ShardRestorer(engine).withPhaseListener(session.phases());
      RecodingResult result =
          (force ? replacing : replacing.withoutReplacing())
              .restore(
                  shards,
                  original,
                  chosen.getAsInt(),
                  InputFiles.target(output),
                  (done, _) -> progress.accept(done));
      return Optional.of(new Made(result, layout, chosen, OptionalLong.empty(), engine.summary()));
    } catch (ShortRankException e) {
      if (number.isPresent()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** Returns the number of the shard to be made; empty if it is to have random combinations. */
  private OptionalInt chosen(ShardLayout layout) throws Failure {
    Optional<ShardLayout.Original> original = layout.original();
    if (number.isEmpty()) {
      boolean isRandom = blocks.isPresent() || seed.isPresent() || original.isEmpty();
      return isRandom
          ? OptionalInt.empty()
          : original.get().missing().stream().mapToInt(shard -> shard).findFirst();
    }
    if (original.isEmpty()) {
      throw new Failure(
          "the shards do not show how 'encode' divided the file", layout.object().name());
    }
    int last =
        original.get().isCountKnown()
            ? original.get().parameters().shards() - 1
            : EncodingParameters.MAX_SHARDS - 1;
    return OptionalInt.of(Converters.requireInRange(spec, "--shard", number.get(), 0, last));
  }

  private Made recoded(Session session, ShardLayout layout)
      throws IOException, InterruptedException {
    long length = layout.object().length();
    long draw = seed.orElseGet(() -> new SecureRandom().nextLong());
    int count = blocks.map(Long::intValue).orElse(layout.blocksOfReplacement());
    try (Engine engine = session.openEngine(Workload.ofBlocks(length, count));
        Progress progress = session.progress("recode", length)) {
      ShardRecoder replacing = new ShardRecoder(engine).withPhaseListener(session.phases());
      RecodingResult result =
          (force ? replacing : replacing.withoutReplacing())
              .recode(
                  shards,
                  InputFiles.target(output),
                  count,
                  draw,
                  (done, _) -> progress.accept(done));
      return new Made(result, layout, OptionalInt.empty(), OptionalLong.of(draw), engine.summary());
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      String shard,
      OptionalInt number,
      long codedBlocks,
      long shardBytes,
      ShardText.Ranks ranks,
      OptionalInt sufficientShards,
      boolean isGuaranteed,
      List<Integer> missing,
      long uncheckedGenerations,
      List<String> leftOut,
      OptionalLong seed,
      double seconds) {

    static Result of(Made made) {
      RecodingResult result = made.result();
      return new Result(
          result.descriptor().name(),
          result.shard().toString(),
          made.number(),
          result.codedBlocks(),
          result.shardBytes(),
          ShardText.Ranks.of(result.ranks()),
          made.sufficient(),
          made.sufficient().isPresent() && made.number().isPresent(),
          made.missing(),
          result.uncheckedGenerations(),
          result.report().leftOut().stream().map(shard -> shard.path().toString()).toList(),
          made.seed(),
          result.seconds());
    }
  }

  /** Describes the cross-check of blocks; digests can only be checked after decoding. */
  private static String checks(RecodingResult result, boolean isVerbose) {
    long unchecked = result.uncheckedGenerations();
    if (unchecked == 0) {
      return isVerbose
          ? "blocks are consistent in every generation"
          : "the given shards agree with each other";
    }
    return isVerbose
        ? "not verified: %s without spare blocks to check against"
            .formatted(ShardText.plural(unchecked, "generation"))
        : "not verified: the given shards are too few to check each other";
  }

  private static String text(Made made, boolean isVerbose) {
    RecodingResult result = made.result();
    return """
    %s%s
    %s: %s%s
    %s%s%s
    """
        .formatted(
            ShardText.text(ShardText.losses(result.report(), isVerbose)),
            ShardText.object(result.descriptor(), isVerbose),
            Printable.line(result.shard()),
            isVerbose ? ShardText.plural(result.codedBlocks(), "block") + ", " : "",
            Units.bytes(result.shardBytes()),
            made.number().isPresent() ? restoration(made) : combination(made, isVerbose),
            ShardText.took(result.shardBytes(), result.seconds()),
            isVerbose ? ", " + made.engine() : "");
  }

  /** Says which shard of the encoder the new one is, and what is guaranteed with it. */
  private static String restoration(Made made) {
    ShardLayout.Original original = made.layout().original().orElseThrow();
    EncodingParameters parameters = original.including(made.number().getAsInt()).parameters();
    String name = Printable.line(made.result().descriptor().name());
    StringBuilder text =
        new StringBuilder(
            "takes the place of %s, verified%n"
                .formatted(parameters.shardFile(name, made.number().getAsInt())));
    if (made.sufficient().isPresent()) {
      int any = made.sufficient().getAsInt();
      text.append(
          "any %sof %s %s sufficient%n"
              .formatted(
                  any == 1 ? "" : any + " ",
                  ShardText.plural(parameters.shards(), "shard"),
                  any == 1 ? "is" : "are"));
    }
    if (!made.missing().isEmpty()) {
      text.append(
          "not given: %s%n"
              .formatted(
                  made.missing().stream()
                      .limit(MAX_NAMED)
                      .map(shard -> parameters.shardFile(name, shard))
                      .collect(
                          Collectors.joining(
                              ", ", "", made.missing().size() > MAX_NAMED ? ", …" : ""))));
    }
    return text.toString();
  }

  /** Says of which rank random combinations are, and what is guaranteed with them. */
  private static String combination(Made made, boolean isVerbose) {
    RankSummary ranks = made.result().ranks();
    int n = made.result().descriptor().shape().blocks();
    String guarantee;
    if (made.sufficient().isPresent()) {
      int any = made.sufficient().getAsInt();
      guarantee =
          any == 1
              ? "the new shard alone is almost certainly sufficient%n".formatted()
              : "with the new shard any %d are almost certainly sufficient%n".formatted(any);
    } else if (ranks.isComplete()) {
      guarantee = "";
    } else {
      guarantee =
          "nothing is guaranteed: the new shard adds nothing to the given ones%n".formatted();
    }
    String drawn =
        isVerbose
            ? "drawn from rank %s of %d per generation%n"
                .formatted(
                    ranks.isComplete() ? Integer.toString(n) : ranks.minRank() + " or more", n)
            : "";
    return "%s%s%s%n".formatted(drawn, guarantee, checks(made.result(), isVerbose));
  }
}
