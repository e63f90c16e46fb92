package io.fieldstone.cli;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.DecodingResult;
import io.fieldstone.rlnc.file.DigestMismatchException;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.MalformedShardException;
import io.fieldstone.rlnc.file.ShardInspector;
import io.fieldstone.rlnc.file.ShortRankException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fieldstone decode}: shards into the file. */
@Command(
    name = "decode",
    sortOptions = false,
    customSynopsis = "fieldstone decode SHARD... -o FILE [OPTION]...",
    description = {
      "Make the file of any of its shards that hold enough blocks.",
      "",
      "Damaged blocks are dropped and counted. The file appears only when it is whole and its"
          + " SHA-256 is that of the file that was encoded. A shard whose blocks are not what they"
          + " say is found and left out if the others hold more than enough.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone decode shards/*.fst -o film.mkv",
      "  fieldstone decode shards/*.fst -o - | tar x",
    })
final class DecodeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "SHARD", description = "Shards of one file.")
  private List<Path> shards = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file; - for standard output.")
  private Path output = Path.of("");

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Main.session(spec);
    long length = -1;
    for (Path shard : shards) {
      InputFiles.requireReadable(shard);
      length = Math.max(length, lengthIn(shard));
    }
    boolean isStream = InputFiles.isStandardStream(output);
    if (isStream && session.isJson()) {
      throw session.usage("--json and -o - both want standard output");
    }
    if (!isStream) {
      InputFiles.requireOther(spec, shards, output);
      InputFiles.requireWritable(output);
    }
    try (Engine engine = session.openEngine()) {
      if (isStream) {
        stream(session, engine, length);
      } else {
        DecodingResult result = decode(session, engine, length, output);
        session.print(Result.of(result), () -> text(result, engine));
      }
      return Main.DONE;
    }
  }

  /** What a shard says of the file's length; a file that is none says nothing here. */
  private static long lengthIn(Path shard) throws IOException {
    try {
      return ShardInspector.header(shard).descriptor().length();
    } catch (MalformedShardException e) {
      return -1;
    }
  }

  private DecodingResult decode(Session session, Engine engine, long length, Path target)
      throws IOException, InterruptedException, Failure {
    try (Progress progress = session.progress("decode", length)) {
      DecodingResult result =
          new FileDecoder(engine).decode(shards, target, (done, _) -> progress.accept(done));
      session.printProfile(result.profile());
      return result;
    } catch (ShortRankException e) {
      ShardText.print(ShardText.losses(e.report()), session.streams().err());
      throw new Failure("not enough blocks", ErrorLine.of(e), e);
    } catch (DigestMismatchException e) {
      ShardText.print(ShardText.losses(e.report()), session.streams().err());
      throw e;
    } catch (MalformedShardException e) {
      throw ShardText.noShard(e, session.streams().err());
    }
  }

  /** Nothing goes out before all of it is known to be right. */
  private void stream(Session session, Engine engine, long length)
      throws IOException, InterruptedException, Failure {
    Path directory = Files.createTempDirectory("fieldstone-");
    Path whole = directory.resolve("decoded");
    try {
      DecodingResult result = decode(session, engine, length, whole);
      copy(whole, session.streams().data());
      if (!session.isQuiet()) {
        ShardText.print(ShardText.losses(result.report()), session.streams().err());
      }
    } finally {
      Files.deleteIfExists(whole);
      Files.deleteIfExists(directory);
    }
  }

  private static void copy(Path file, OutputStream output) throws Failure {
    try {
      Files.copy(file, output);
      output.flush();
    } catch (IOException e) {
      throw new Failure(Failure.lowerFirst(ErrorLine.of(e)), "standard output", e);
    }
  }

  /** What {@code --json} prints. */
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
          result.report().leftOut().stream().map(one -> one.path().toString()).toList(),
          result.seconds());
    }
  }

  private static String text(DecodingResult result, Engine engine) {
    return """
    %s%s
    %s, from %s
    sha256 %s, as encoded
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
