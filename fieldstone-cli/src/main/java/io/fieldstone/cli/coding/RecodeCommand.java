package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
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

/** {@code fieldstone recode}: shards into a new shard, without decoding. */
@Command(
    name = "recode",
    sortOptions = false,
    customSynopsis = "fieldstone recode SHARD... -o SHARD [OPTION]...",
    description = {
      "Make a new shard of any shards, without decoding.",
      "",
      "Its blocks are random combinations of all that the given shards hold: as good to a decoder"
          + " as any other, up to the rank they were drawn from. Shards that hold more than that"
          + " are compared with each other first: a combination of wrong blocks is wrong.",
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
      description = "The new shard; - for standard output.")
  private Path output = Path.of("");

  @Option(names = "--force", description = "Replace the new shard if it exists.")
  private boolean force;

  @Option(
      names = "--blocks",
      paramLabel = "COUNT",
      converter = Converters.Count.class,
      description = "New blocks of each generation (default: as many as the first shard has).")
  private Optional<Long> blocks = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "S",
      converter = Converters.Seed.class,
      description = "Decides the combinations (default: another each time).")
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
    try (Engine engine = session.openEngine()) {
      RecodingResult result;
      try (Progress progress = session.progress("recode", sizes.length())) {
        ShardRecoder replacing = new ShardRecoder(engine);
        result =
            (force ? replacing : replacing.withoutReplacing())
                .recode(
                    shards,
                    InputFiles.target(output),
                    blocks.map(Long::intValue).orElse(sizes.blocks()),
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
      } else if (result.uncheckedGenerations() > 0 && !session.isQuiet()) {
        session.warn(checks(result));
      }
      return ExitCode.OK;
    }
  }

  /** Length of the file, and blocks of a generation in the first shard that can be read. */
  private record Sizes(long length, int blocks) {}

  private Sizes sizes() throws IOException {
    for (Path shard : shards) {
      try {
        ShardHeader header = ShardInspector.header(shard);
        long records = (Files.size(shard) - header.byteSize()) / header.recordBytes();
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

  /** What {@code --json} prints. */
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
          result.report().leftOut().stream().map(one -> one.path().toString()).toList(),
          seed,
          result.seconds());
    }
  }

  /** Whether anything showed that the blocks are right, which no digest does before decoding. */
  private static String checks(RecodingResult result) {
    long unchecked = result.uncheckedGenerations();
    return unchecked == 0
        ? "blocks agree with each other in every generation"
        : "not verified: %s of blocks that no other block confirms"
            .formatted(ShardText.plural(unchecked, "generation"));
  }

  private static String text(RecodingResult result, Engine engine) {
    RankSummary ranks = result.ranks();
    int n = result.descriptor().shape().blocks();
    return """
    %s%s
    %s: %s, %s
    drawn from rank %s of %d a generation
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
