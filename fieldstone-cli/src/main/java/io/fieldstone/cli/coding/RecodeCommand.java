package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Workload;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.PollutedShardsException;
import io.fieldstone.rlnc.file.RankSummary;
import io.fieldstone.rlnc.file.RecodingResult;
import io.fieldstone.rlnc.file.ShardInspector;
import io.fieldstone.rlnc.file.ShardRecoder;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone recode}: makes a new shard from shards, without decoding. */
@Command(
    name = "recode",
    sortOptions = false,
    customSynopsis = "fieldstone recode SHARD... -o SHARD [OPTION]...",
    description = {
      "Make a new shard from any shards of a file, without decoding.",
      "",
      "Its blocks are random linear combinations of all blocks in the given shards. A decoder can"
          + " use them like any other block, up to the rank of the given shards. If the shards hold"
          + " more blocks than their rank, they are first checked against each other, because a"
          + " combination of wrong blocks is wrong.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone recode film.03.fst film.07.fst -o film.new.fst",
      "  fieldstone recode shards/*.fst -o all.fst --blocks 140",
    })
public final class RecodeCommand implements Callable<Integer> {

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
      names = "--blocks",
      paramLabel = "COUNT",
      converter = Converters.Count.class,
      description = "New blocks per generation (default: the number in the first shard).")
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
    if (blocks.isPresent()) {
      Converters.requireInRange(
          spec, "--blocks", blocks.orElseThrow(), 1, EncodingParameters.MAX_CODED_BLOCKS);
    }
    InputFiles.recover(shards);
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
    }
    boolean isStream = InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isStream);
    InputFiles.requireOther(spec, shards, output);
    InputFiles.requireWritable(InputFiles.target(output));
    Sizes sizes = sizes();
    long draw = seed.orElseGet(() -> new SecureRandom().nextLong());
    int count = blocks.map(Long::intValue).orElse(sizes.blocks());
    try (Engine engine = session.openEngine(Workload.ofBlocks(sizes.length(), count))) {
      RecodingResult result;
      try (Progress progress = session.progress("recode", sizes.length())) {
        ShardRecoder replacing = new ShardRecoder(engine).withPhaseListener(session.phases());
        result =
            (force ? replacing : replacing.withoutReplacing())
                .recode(
                    shards,
                    InputFiles.target(output),
                    count,
                    draw,
                    (done, _) -> progress.accept(done));
      } catch (FileAlreadyExistsException e) {
        throw Failure.exists(e);
      } catch (PollutedShardsException e) {
        ShardText.print(ShardText.losses(e.report()), session.streams().err());
        throw e;
      } catch (MalformedShardException e) {
        throw ShardText.noShard(e, session.streams().err());
      }
      session.printProfile(result.profile());
      if (!isStream) {
        session.print(Result.of(result, draw), () -> text(result, engine));
      } else if (result.uncheckedGenerations() > 0) {
        session.warn(checks(result));
      }
      return ExitCode.OK;
    }
  }

  /** The length of the file and the blocks per generation, from the first readable shard. */
  private record Sizes(long length, int blocks) {}

  private Sizes sizes() throws IOException {
    for (Path shard : shards) {
      try {
        ShardHeader header = ShardInspector.header(shard);
        long size = Files.size(shard);
        long end = header.hashesAt() > 0 ? Math.min(size, header.hashesAt()) : size;
        long records = (end - header.byteSize()) / header.recordBytes();
        long generations = Math.max(1, header.descriptor().generations());
        long each =
            Math.clamp(Math.ceilDiv(records, generations), 1L, EncodingParameters.MAX_CODED_BLOCKS);
        return new Sizes(header.descriptor().length(), (int) each);
      } catch (MalformedShardException e) {
        // The recoder reports it.
      }
    }
    return new Sizes(-1, 1);
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      String shard,
      long codedBlocks,
      long shardBytes,
      ShardText.Ranks ranks,
      long uncheckedGenerations,
      List<String> leftOut,
      long seed,
      double seconds) {

    static Result of(RecodingResult result, long seed) {
      return new Result(
          result.descriptor().name(),
          result.shard().toString(),
          result.codedBlocks(),
          result.shardBytes(),
          ShardText.Ranks.of(result.ranks()),
          result.uncheckedGenerations(),
          result.report().leftOut().stream().map(shard -> shard.path().toString()).toList(),
          seed,
          result.seconds());
    }
  }

  /** Describes the cross-check of blocks; digests can only be checked after decoding. */
  private static String checks(RecodingResult result) {
    long unchecked = result.uncheckedGenerations();
    return unchecked == 0
        ? "blocks are consistent in every generation"
        : "not verified: %s without spare blocks to check against"
            .formatted(ShardText.plural(unchecked, "generation"));
  }

  private static String text(RecodingResult result, Engine engine) {
    RankSummary ranks = result.ranks();
    int n = result.descriptor().shape().blocks();
    return """
    %s%s
    %s: %s, %s
    drawn from rank %s of %d per generation
    %s
    %s, %s
    """
        .formatted(
            ShardText.text(ShardText.losses(result.report())),
            ShardText.object(result.descriptor()),
            result.shard(),
            ShardText.plural(result.codedBlocks(), "block"),
            Units.bytes(result.shardBytes()),
            ranks.isComplete() ? Integer.toString(n) : ranks.minRank() + " or more",
            n,
            checks(result),
            ShardText.took(result.shardBytes(), result.seconds()),
            engine.summary());
  }
}
