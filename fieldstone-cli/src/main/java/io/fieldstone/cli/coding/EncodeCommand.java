package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StandardInput;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Workload;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.EncodingResult;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone encode}: encodes a file into shards. */
@StartUp(
    value = StartUp.Profile.C1,
    c2Options = {"--block-size", "--encrypt"})
@Command(
    name = "encode",
    sortOptions = false,
    customSynopsis = "fieldstone encode FILE -o DIR [OPTION]...",
    description = {
      "Make shards of a file, enough of which restore it, whichever they are.",
      "",
      "Any 11 of 16 shards restore the file, for certain; --any and --of choose other numbers. With"
          + " --shards, --redundancy or --code, a sufficiently large subset of the shards restores"
          + " the file, with the probability of the code.",
      "",
      "The shards are DIR/NAME.00.fst, DIR/NAME.01.fst and so on; either all are written or none."
          + " Existing shards of NAME in DIR are replaced or removed only with --force. NAME may"
          + " have any characters; where it is shown, control characters are escaped.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone encode film.mkv -o shards          any 11 of 16 are sufficient",
      "  fieldstone encode film.mkv -o shards --any 3 --of 6",
      "  tar c photos | fieldstone encode - --name photos.tar -o shards",
      "  fieldstone encode film.mkv -o shards --encrypt film.key --sign publisher.key",
    })
public final class EncodeCommand implements Callable<Integer> {

  private static final String STREAM_NAME = "stdin";

  /** Spare blocks per generation: n + 2 random blocks lack rank with probability 256^-3. */
  private static final int SPARE_BLOCKS = 2;

  private static final int DEFAULT_SUFFICIENT = 11;
  private static final int DEFAULT_SHARDS = 16;
  private static final double DEFAULT_REDUNDANCY = 0.5;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "File to encode; - for standard input.")
  private Path file = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory of the shards; created if it does not exist.")
  private Path output = Path.of("");

  @Option(
      names = "--any",
      paramLabel = "K",
      converter = Converters.Count.class,
      description = {
        "Guarantee that any K of the --of N shards restore the file (default: 11 of 16). The code"
            + " is cauchy, and n·N/K must be at most 256."
      })
  private Optional<Long> any = Optional.empty();

  @Option(
      names = "--of",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of shard files for --any.")
  private Optional<Long> of = Optional.empty();

  @Option(
      names = "--shards",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of shard files without a guarantee (default: " + DEFAULT_SHARDS + ").")
  private Optional<Long> shards = Optional.empty();

  @Option(
      names = "--redundancy",
      paramLabel = "R",
      converter = Converters.Fraction.class,
      description =
          "Additional coded blocks as a fraction of n, or in percent: 0.5 and 50%% make 1.5 n coded"
              + " blocks from n source blocks (default: "
              + DEFAULT_REDUNDANCY
              + ").")
  private Optional<Double> redundancy = Optional.empty();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "File name recorded for standard input (default: " + STREAM_NAME + ").")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--encrypt",
      paramLabel = "KEYFILE",
      description =
          "Encrypt before coding, with a key of 'fieldstone key encryption'. The name and the"
              + " length of the file stay readable.")
  private Optional<Path> encrypt = Optional.empty();

  @Option(
      names = "--sign",
      paramLabel = "KEYFILE",
      description =
          "Sign the name and id of the file in each shard, with a key of 'fieldstone key signing',"
              + " for 'decode --publisher'.")
  private Optional<Path> sign = Optional.empty();

  @Option(names = "--force", description = "Replace all existing shards of the same NAME in DIR.")
  private boolean force;

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description =
          "One of ${COMPLETION-CANDIDATES} (default: cauchy for a guarantee, else systematic).")
  private Optional<CodingOptions.CodeName> code = Optional.empty();

  @Mixin private CodingOptions coding = new CodingOptions();

  private static Workload work(EncodingParameters parameters, long length) {
    int blocks = parameters.shape().blocks();
    int copied = parameters.shape().code().isSource(0, blocks) ? blocks : 0;
    return Workload.ofBlocks(length, parameters.codedBlocks(blocks) - copied);
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    EncodingParameters parameters = parameters();
    redundancy.ifPresent(session::warnOfRedundancy);
    InputFiles.requireFolder(spec, output);
    boolean isStream = InputFiles.isStandardStream(file);
    if (name.isPresent() && !isStream) {
      throw session.usage("--name is for standard input, not for '%s'".formatted(file));
    }
    long length = isStream ? -1 : InputFiles.requireReadable(file);
    Optional<MasterKey> key = KeyFiles.masterKey(session, encrypt);
    Optional<SigningKey> signing = Optional.empty();
    if (sign.isPresent()) {
      signing = Optional.of(KeyFiles.signingKey(session, sign.get()));
    }
    try (Engine engine = session.openEngine(work(parameters, length))) {
      EncodingResult result;
      try (Progress progress = session.progress("encode", length)) {
        FileEncoder replacing =
            encoder(engine, parameters, key, signing).withPhaseListener(session.phases());
        FileEncoder encoder = force ? replacing : replacing.withoutReplacing();
        result =
            isStream
                ? encoder.encode(
                    new StandardInput(session.streams().in()),
                    name.orElse(STREAM_NAME),
                    output,
                    (done, _) -> progress.accept(done))
                : encoder.encode(file, output, (done, _) -> progress.accept(done));
      } catch (FileAlreadyExistsException e) {
        throw Failure.exists(e);
      } catch (IllegalArgumentException e) {
        throw session.usage(String.valueOf(e.getMessage()));
      }
      session.printProfile(result.profile());
      session.print(
          Result.of(result, parameters),
          () -> text(result, parameters, engine, session.isVerbose()));
      return ExitCode.OK;
    }
  }

  private FileEncoder encoder(
      Engine engine,
      EncodingParameters parameters,
      Optional<MasterKey> key,
      Optional<SigningKey> signing) {
    FileEncoder plain = new FileEncoder(engine, parameters);
    FileEncoder encoder = key.isPresent() ? plain.encrypting(key.get()) : plain;
    return signing.isPresent() ? encoder.signing(signing.get()) : encoder;
  }

  private EncodingParameters parameters() {
    coding.requireDensity(spec, code);
    if (any.isPresent() || of.isPresent()) {
      return guaranteed();
    }
    int n = coding.blocks(spec, EncodingParameters.maxBlocks(DEFAULT_SUFFICIENT, DEFAULT_SHARDS));
    boolean isDefault = shards.isEmpty() && redundancy.isEmpty() && code.isEmpty();
    return isDefault && n <= EncodingParameters.maxBlocks(DEFAULT_SUFFICIENT, DEFAULT_SHARDS)
        ? anyOf(n, DEFAULT_SUFFICIENT, DEFAULT_SHARDS)
        : unguaranteed();
  }

  /** Returns the parameters of {@code --any} and {@code --of}. */
  private EncodingParameters guaranteed() {
    if (any.isEmpty() || of.isEmpty()) {
      throw Converters.usage(spec, any.isEmpty() ? "--of needs --any" : "--any needs --of");
    }
    if (shards.isPresent() || redundancy.isPresent()) {
      throw Converters.usage(
          spec, "--any and --of determine " + (shards.isPresent() ? "--shards" : "--redundancy"));
    }
    if (code.isPresent() && code.get() != CodingOptions.CodeName.cauchy) {
      throw Converters.usage(spec, "--any needs --code cauchy, not " + code.get());
    }
    int count = Converters.requireInRange(spec, "--of", of.get(), 1, EncodingParameters.MAX_SHARDS);
    int sufficient = Converters.requireInRange(spec, "--any", any.get(), 1, count);
    int max = EncodingParameters.maxBlocks(sufficient, count);
    if (max == 0) {
      throw Converters.usage(
          spec,
          "--any %d --of %d: a generation has at most 256 blocks, too few for a guarantee"
              .formatted(sufficient, count));
    }
    int n = coding.blocks(spec, max);
    if (n > max) {
      throw Converters.usage(
          spec,
          "--generation %d is not in 1…%d, with which any %d of %d shards are sufficient"
              .formatted(n, max, sufficient, count));
    }
    return anyOf(n, sufficient, count);
  }

  private EncodingParameters anyOf(int n, int sufficient, int count) {
    try {
      return EncodingParameters.anyOf(n, coding.blockSize(spec), sufficient, count, coding.seed());
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, String.valueOf(e.getMessage()));
    }
  }

  private EncodingParameters unguaranteed() {
    double fraction = redundancy.orElse(DEFAULT_REDUNDANCY);
    if (!(fraction >= 0)) {
      throw Converters.usage(spec, "--redundancy " + Units.plain(fraction) + " is less than 0");
    }
    GenerationShape shape =
        coding.shape(spec, code.orElse(CodingOptions.CodeName.systematic), Math.min(fraction, 1e5));
    int count =
        Converters.requireInRange(
            spec,
            "--shards",
            shards.orElse((long) DEFAULT_SHARDS),
            1,
            EncodingParameters.MAX_SHARDS);
    try {
      return new EncodingParameters(shape, count, fraction, coding.seed());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw Converters.usage(spec, message.startsWith("redundancy") ? "--" + message : message);
    }
  }

  /**
   * Returns the number of shards of which any selection restores the file, for certain or almost
   * certainly; empty if it depends on the selection.
   */
  private static OptionalInt sufficientShards(EncodingParameters parameters) {
    if (parameters.sufficient().isPresent()) {
      return parameters.sufficient();
    }
    Code code = parameters.shape().code();
    if (code instanceof Code.Sparse || code instanceof Code.Pipeline) {
      return OptionalInt.empty();
    }
    int n = parameters.shape().blocks();
    int coded = parameters.codedBlocks(n);
    int all = parameters.shards();
    int held = 0;
    for (int shard = 1; shard <= all; shard++) {
      // Block b goes to shard b mod all, so the last shards hold the fewest.
      held += (coded - (all - shard) + all - 1) / all;
      if (held >= n + SPARE_BLOCKS) {
        return OptionalInt.of(shard);
      }
    }
    return OptionalInt.empty();
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      long bytes,
      int format,
      String id,
      Optional<String> keyId,
      Optional<String> publisher,
      long generations,
      List<String> shards,
      long codedBlocks,
      long shardBytes,
      OptionalInt sufficientShards,
      boolean isGuaranteed,
      double seconds) {

    static Result of(EncodingResult result, EncodingParameters parameters) {
      return new Result(
          result.descriptor().name(),
          result.length(),
          ShardHeader.VERSION,
          result.descriptor().idText(),
          ShardText.keyId(result.descriptor()),
          result.publisher().map(PublisherKey::toString),
          result.descriptor().generations(),
          result.shards().stream().map(Path::toString).toList(),
          result.codedBlocks(),
          result.shardBytes(),
          EncodeCommand.sufficientShards(parameters),
          parameters.sufficient().isPresent(),
          result.seconds());
    }
  }

  private static String text(
      EncodingResult result, EncodingParameters parameters, Engine engine, boolean isVerbose) {
    int count = result.shards().size();
    long each = result.shardBytes() / count;
    OptionalInt sufficient = sufficientShards(parameters);
    String sufficiency =
        sufficient.isPresent()
            ? "; any %s %ssufficient"
                .formatted(
                    sufficient.getAsInt() == 1
                        ? "of them is"
                        : sufficient.getAsInt() + " of them are",
                    parameters.sufficient().isPresent() ? "" : "almost certainly ")
            : "";
    return """
    %s
    %s
    %s%s%s
    %s of %s each, %s in total%s
    %s
    """
        .formatted(
            ShardText.object(result.descriptor(), isVerbose),
            "id " + result.descriptor().idText(),
            ShardText.signature(result.publisher()),
            Printable.line(result.shards().getFirst()),
            count == 1 ? "" : " … " + Printable.line(result.shards().getLast().getFileName()),
            ShardText.plural(count, "shard"),
            Units.bytes(each),
            Units.like(each, result.shardBytes()),
            sufficiency,
            ShardText.took(result.length(), result.seconds(), engine, isVerbose));
  }
}
