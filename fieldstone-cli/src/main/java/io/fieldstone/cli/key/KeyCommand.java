package io.fieldstone.cli.key;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone key}: makes and shows keys. */
@Command(
    name = "key",
    sortOptions = false,
    description = {
      "Make keys for encryption and for signatures, and show their public part.",
      "",
      "A key file is text that only its owner may read. Everyone who reads it can decrypt or"
          + " sign. A lost key cannot be restored.",
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  fieldstone key encryption -o film.key",
      "  fieldstone encode film.mkv -o shards --encrypt film.key",
      "  fieldstone decode shards/*.fst -o film.mkv --key film.key",
      "  fieldstone key signing -o publisher.key",
      "  fieldstone key show publisher.key             the public key",
    },
    subcommands = {KeyCommand.Encryption.class, KeyCommand.Signing.class, KeyCommand.Show.class})
public final class KeyCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "no command given; there are: encryption, signing, show");
  }

  /** What the commands print: a key without its secret part. */
  record Result(String file, String kind, String publicPart) {

    static Result of(Path file, MasterKey key) {
      return new Result(file.toString(), "encryption", "%016x".formatted(key.keyId()));
    }

    static Result of(Path file, SigningKey key) {
      return new Result(file.toString(), "signing", key.publisher().toString());
    }

    String text() {
      return "%s key %s: %s\n".formatted(kind, publicPart, ErrorLine.oneLine(file));
    }
  }

  /** The output of a new key. */
  static final class Output {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        required = true,
        description = "New key file, which only its owner may read; - for standard output.")
    private Path file = Path.of("");

    @Option(names = "--force", description = "Replace FILE if it exists; its key is lost.")
    private boolean force;

    private void write(Result result, String text) throws IOException, Failure {
      Session session = Session.of(spec);
      boolean isOnStandardOutput = InputFiles.isStandardOutput(file);
      session.requireOneOnStandardOutput("-o", isOnStandardOutput);
      Path target = InputFiles.target(file);
      InputFiles.requireOutputs(spec, List.of(), target);
      try (Temporaries temporaries = new Temporaries()) {
        OpenFile open = temporaries.createPrivate(target, force);
        open.write(MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)), 0);
        temporaries.commit();
      } catch (FileAlreadyExistsException e) {
        throw Failure.exists(e);
      }
      if (!isOnStandardOutput) {
        session.print(result, result::text);
      }
    }
  }

  /** Runs {@code fieldstone key encryption}. */
  @Command(
      name = "encryption",
      customSynopsis = "fieldstone key encryption -o FILE [--force]",
      description = "Make a random key of 256 bits that encrypts and decrypts, and print its id.",
      footer = {"", "Example:", "  fieldstone key encryption -o film.key"})
  static final class Encryption implements Callable<Integer> {
    @Mixin private Output output = new Output();

    @Override
    public Integer call() throws IOException, Failure {
      MasterKey key = MasterKey.generate();
      output.write(Result.of(output.file, key), key.toText());
      return ExitCode.OK;
    }
  }

  /** Runs {@code fieldstone key signing}. */
  @Command(
      name = "signing",
      customSynopsis = "fieldstone key signing -o FILE [--force]",
      description = "Make an Ed25519 key that signs as a publisher, and print its public key.",
      footer = {"", "Example:", "  fieldstone key signing -o publisher.key"})
  static final class Signing implements Callable<Integer> {
    @Mixin private Output output = new Output();

    @Override
    public Integer call() throws IOException, Failure {
      SigningKey key = SigningKey.generate();
      output.write(Result.of(output.file, key), key.toText());
      return ExitCode.OK;
    }
  }

  /** Runs {@code fieldstone key show}. */
  @Command(
      name = "show",
      customSynopsis = "fieldstone key show FILE",
      description = "Print the id of an encryption key, or the public key of a signing key.",
      footer = {"", "Example:", "  fieldstone key show publisher.key"})
  static final class Show implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Key file.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException, Failure {
      Session session = Session.of(spec);
      String text = KeyFiles.text(session, file);
      if (!MasterKey.isText(text) && !SigningKey.isText(text)) {
        throw new Failure(
            "not a key: it begins neither as an encryption key nor as a signing key", file);
      }
      Result result =
          SigningKey.isText(text)
              ? Result.of(file, KeyFiles.signingKey(file, text))
              : Result.of(file, KeyFiles.masterKey(file, text));
      session.printResult(result, result::text);
      return ExitCode.OK;
    }
  }
}
