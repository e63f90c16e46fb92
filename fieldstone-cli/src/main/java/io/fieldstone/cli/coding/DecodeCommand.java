package io.fieldstone.cli.coding;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.DecodingResult;
import io.fieldstone.rlnc.file.DigestMismatchException;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.ShardInspector;
import io.fieldstone.rlnc.file.ShortRankException;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone decode}: restores a file from its shards. */
@Command(
    name = "decode",
    sortOptions = false,
    customSynopsis = "fieldstone decode SHARD... -o FILE [OPTION]...",
    description = {
      "Restore a file from any of its shards that together hold enough blocks.",
      "",
      "Damaged blocks are dropped and counted. The output file is created only if it is complete"
          + " and its SHA-256 matches that of the encoded file. An existing file is replaced only"
          + " with --force. A shard with false blocks is detected and left out if the other shards"
          + " hold more blocks than needed.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone decode shards/*.fst -o film.mkv",
      "  fieldstone decode shards/*.fst -o - | tar x",
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

  @Option(names = "--force", description = "Replace FILE if it exists.")
  private boolean force;

  /** A call of a decoder that reports its progress. */
  @FunctionalInterface
  private interface Decoding {
    DecodingResult run(FileDecoder decoder, ProgressListener listener)
        throws IOException, InterruptedException;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    InputFiles.recover(shards);
    long length = -1;
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
      length = Math.max(length, lengthIn(shard));
    }
    boolean isStream = InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isStream);
    if (!isStream) {
      InputFiles.requireOther(spec, shards, output);
      InputFiles.requireWritable(output);
    }
    try (Engine engine = session.openEngine()) {
      if (isStream) {
        stream(session, engine, length);
      } else {
        DecodingResult result =
            decode(
                session,
                engine,
                length,
                (decoder, listener) -> decoder.decode(shards, output, listener));
        session.print(Result.of(result), () -> text(result, engine));
      }
      return ExitCode.OK;
    }
  }

  /** Returns the file length that a shard states, or -1 if its header is malformed. */
  private static long lengthIn(Path shard) throws IOException {
    try {
      return ShardInspector.header(shard).descriptor().length();
    } catch (MalformedShardException e) {
      return -1;
    }
  }

  private DecodingResult decode(Session session, Engine engine, long length, Decoding decoding)
      throws IOException, InterruptedException, Failure {
    FileDecoder replacing = new FileDecoder(engine);
    try (Progress progress = session.progress("decode", length)) {
      DecodingResult result =
          decoding.run(
              force ? replacing : replacing.withoutReplacing(), (done, _) -> progress.accept(done));
      session.printProfile(result.profile());
      return result;
    } catch (ShortRankException e) {
      ShardText.print(ShardText.losses(e.report()), session.streams().err());
      throw new Failure("not enough blocks", ErrorLine.of(e), e);
    } catch (FileAlreadyExistsException e) {
      throw Failure.exists(e);
    } catch (DigestMismatchException e) {
      ShardText.print(ShardText.losses(e.report()), session.streams().err());
      throw e;
    } catch (MalformedShardException e) {
      throw ShardText.noShard(e, session.streams().err());
    }
  }

  private void stream(Session session, Engine engine, long length)
      throws IOException, InterruptedException, Failure {
    DecodingResult result =
        decode(
            session,
            engine,
            length,
            (decoder, listener) ->
                decoder.decode(shards, session.streams().data(), STANDARD_OUTPUT, listener));
    if (!session.isQuiet()) {
      ShardText.print(ShardText.losses(result.report()), session.streams().err());
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      String file,
      long bytes,
      String sha256,
      long shards,
      long damagedBlocks,
      List<String> leftOut,
      double seconds) {

    static Result of(DecodingResult result) {
      return new Result(
          result.descriptor().name(),
          result.file().toString(),
          result.descriptor().length(),
          result.descriptor().sha256(),
          result.report().shards().size(),
          result.report().damaged(),
          result.report().leftOut().stream().map(shard -> shard.path().toString()).toList(),
          result.seconds());
    }
  }

  private static String text(DecodingResult result, Engine engine) {
    return """
    %s%s
    %s, from %s
    sha256 %s, verified
    %s, %s
    """
        .formatted(
            ShardText.text(ShardText.losses(result.report())),
            ShardText.object(result.descriptor()),
            result.file(),
            ShardText.plural(result.report().shards().size(), "shard"),
            result.descriptor().sha256(),
            ShardText.took(result.descriptor().length(), result.seconds()),
            engine.summary());
  }
}
