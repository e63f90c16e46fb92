package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.cli.key.PublisherOptions;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Workload;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.file.DecodingResult;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.MissingBlocks;
import io.fieldstone.rlnc.file.ShardInspector;
import io.fieldstone.rlnc.file.ShardReport;
import io.fieldstone.rlnc.file.ShardsException;
import io.fieldstone.rlnc.file.ShortRankException;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone decode}: restores a file from its shards. */
@StartUp(value = StartUp.Profile.C1, c2Options = "--key")
@Command(
    name = "decode",
    sortOptions = false,
    customSynopsis = "fieldstone decode SHARD... -o FILE [OPTION]...",
    description = {
      "Restore a file from enough of its shards, whichever they are.",
      "",
      "Damaged blocks are dropped and counted. The output file is created only if it is complete"
          + " and its content is that of the encoded file, by SHA-256. An existing file is replaced"
          + " only with --force. A generation with false blocks is decoded from other shards if"
          + " they hold enough blocks, and the shards with false blocks are named.",
      "",
      "With --partial, a file is also created if the blocks are not sufficient. It has zeros in"
          + " place of each block that cannot be restored, and the exit status is 3.",
      "",
      "Exit status: 0 if FILE is complete, 1 for a failure, 2 for a usage error, 3 if the shards"
          + " have too few blocks.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone decode shards/*.fst -o film.mkv",
      "  fieldstone decode shards/*.fst -o - | tar x",
      "  fieldstone decode shards/*.fst -o film.mkv --key film.key",
      "  fieldstone decode shards/*.fst -o film.mkv --partial",
      "  fieldstone decode shards/*.fst -o film.mkv --publisher ed25519:1c7f…",
    })
public final class DecodeCommand implements Callable<Integer> {

  private static final String STANDARD_OUTPUT = "standard output";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "SHARD", description = "Shards of one file.")
  private List<Path> shards = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Restored file; - for standard output.")
  private Path output = Path.of("");

  @Option(
      names = "--key",
      paramLabel = "KEYFILE",
      description = "Key with which the file was encrypted ('fieldstone key encryption').")
  private Optional<Path> key = Optional.empty();

  @Mixin private PublisherOptions publishers = new PublisherOptions();

  @Option(
      names = "--partial",
      description =
          "Restore every block that the shards are sufficient for, and name the missing bytes.")
  private boolean partial;

  /** The share of source blocks that is expected to be lost. */
  private static final double LOST_SHARE = 0.25;

  @Option(names = "--force", description = "Replace FILE if it exists.")
  private boolean force;

  /** A call of a decoder that reports its progress. */
  @FunctionalInterface
  private interface Decoding {
    DecodingResult run(ProgressListener listener) throws IOException, InterruptedException;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    List<PublisherKey> required = publishers.keys(spec);
    InputFiles.recover(shards);
    Optional<CodedObject> object = Optional.empty();
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
      if (object.isEmpty()) {
        object = objectIn(shard);
      }
    }
    long length = object.map(CodedObject::length).orElse(-1L);
    boolean isStream = InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isStream);
    if (!isStream) {
      InputFiles.requireOther(spec, shards, output);
      InputFiles.requireWritable(output);
    }
    Optional<MasterKey> master = KeyFiles.masterKey(session, key);
    try (Engine engine = session.openEngine(work(object))) {
      FileDecoder decoder =
          decoder(engine, master).withPublishers(required).withPhaseListener(session.phases());
      if (isStream) {
        stream(session, decoder, length);
      } else {
        DecodingResult result =
            decode(session, length, listener -> decoder.decode(shards, output, listener));
        session.print(Result.of(result), () -> text(result, engine, session.isVerbose()));
        requireComplete(session, result, output.toString());
      }
      return ExitCode.OK;
    }
  }

  /** Returns the object that a shard states; empty if its header is malformed. */
  private static Optional<CodedObject> objectIn(Path shard) throws IOException {
    try {
      return Optional.of(ShardInspector.header(shard).descriptor());
    } catch (MalformedShardException e) {
      return Optional.empty();
    }
  }

  /** Returns the work of decoding; source blocks that arrived are only copied. */
  private static Workload work(Optional<CodedObject> object) {
    if (object.isEmpty()) {
      return new Workload(0);
    }
    GenerationShape shape = object.get().shape();
    double share = shape.code().isSource(0, shape.blocks()) ? LOST_SHARE : 1;
    return Workload.ofBlocks(object.get().length(), share * shape.blocks());
  }

  private FileDecoder decoder(Engine engine, Optional<MasterKey> master) {
    FileDecoder plain = new FileDecoder(engine);
    FileDecoder replacing = master.isPresent() ? plain.decrypting(master.get()) : plain;
    FileDecoder decoder = force ? replacing : replacing.withoutReplacing();
    return partial ? decoder.withPartialOutput() : decoder;
  }

  private DecodingResult decode(Session session, long length, Decoding decoding)
      throws IOException, InterruptedException, Failure {
    try (Progress progress = session.progress("decode", length)) {
      DecodingResult result = decoding.run((done, _) -> progress.accept(done));
      session.printProfile(result.profile());
      return result;
    } catch (ShortRankException e) {
      ShardText.print(ShardText.losses(e.report(), session.isVerbose()), session.streams().err());
      throw Failure.notRestorable(
          "not enough shards",
          ShardText.insufficient(e.ranks(), e.report(), session.isVerbose())
              + "; --partial restores what they are enough for");
    } catch (ShardsException | MalformedShardException | FileAlreadyExistsException e) {
      throw ShardText.failure(e, session);
    }
  }

  private void stream(Session session, FileDecoder decoder, long length)
      throws IOException, InterruptedException, Failure {
    DecodingResult result =
        decode(
            session,
            length,
            listener ->
                decoder.decode(shards, session.streams().data(), STANDARD_OUTPUT, listener));
    ShardText.print(
        ShardText.losses(result.report(), session.isVerbose()), session.streams().err());
    requireComplete(session, result, STANDARD_OUTPUT);
  }

  /** Fails if blocks are missing, which are zeros in the output. */
  private static void requireComplete(Session session, DecodingResult result, String place)
      throws Failure {
    MissingBlocks missing = result.missing();
    if (!missing.isEmpty()) {
      session.streams().requireWritten();
      throw Failure.notRestorable("not complete, " + ShardText.missing(missing), place);
    }
  }

  /** A shard with wrong blocks as {@code --json} prints it. */
  private record Polluted(String file, long generation, long generations) {

    static Polluted of(ShardReport.Polluted shard) {
      return new Polluted(shard.path().toString(), shard.generation(), shard.generations());
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      String file,
      long bytes,
      String id,
      Optional<String> keyId,
      Optional<String> publisher,
      long shards,
      long damagedBlocks,
      List<Polluted> polluted,
      List<String> leftOut,
      Missing missing,
      double seconds) {

    static Result of(DecodingResult result) {
      return new Result(
          result.descriptor().name(),
          result.file().toString(),
          result.length(),
          result.descriptor().idText(),
          ShardText.keyId(result.descriptor()),
          result.publisher().map(PublisherKey::toString),
          result.report().shards().size(),
          result.report().damaged(),
          result.report().polluted().stream().map(Polluted::of).toList(),
          result.report().leftOut().stream().map(shard -> shard.path().toString()).toList(),
          Missing.of(result),
          result.seconds());
    }
  }

  /** The missing blocks as {@code --json} prints them. */
  private record Missing(
      long blocks,
      long bytes,
      long deliverableBytes,
      long unverifiedBlocks,
      List<MissingBlocks.Range> ranges) {

    static Missing of(DecodingResult result) {
      MissingBlocks missing = result.missing();
      return new Missing(
          missing.blocks(),
          missing.bytes(),
          missing.deliverable(result.length()),
          missing.unverified(),
          missing.ranges());
    }
  }

  private static String text(DecodingResult result, Engine engine, boolean isVerbose) {
    return """
    %s%s
    %s, from %s
    %s, %s
    %s%s
    """
        .formatted(
            ShardText.text(ShardText.losses(result.report(), isVerbose)),
            ShardText.object(result.descriptor(), isVerbose),
            Printable.line(result.file()),
            ShardText.plural(result.report().shards().size(), "shard"),
            "id " + result.descriptor().idText(),
            ShardText.verification(result),
            ShardText.signature(result.publisher()),
            ShardText.took(result.length(), result.seconds(), engine, isVerbose));
  }
}
