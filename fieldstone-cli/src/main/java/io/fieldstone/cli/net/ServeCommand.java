package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone serve}: offers files to clients. */
@StartUp(StartUp.Profile.SERVICE)
@Command(
    name = "serve",
    sortOptions = false,
    customSynopsis = "fieldstone serve PATH... [OPTION]...",
    description = {
      "Offer files and folders to 'fieldstone fetch', until the command is stopped.",
      "",
      "A file is known by its name, a file in a folder by its path below the folder. New and"
          + " changed files are noticed. A name with a backslash or a control character is not"
          + " offered, and a warning says so. When the server is ready, it prints its address and"
          + " the fingerprint by which clients know it.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone serve film.mkv photos",
      "  fieldstone serve /srv/files --listen 127.0.0.1:0 --token-file token",
      "  fieldstone serve film.mkv --encrypt film.key --sign publisher.key",
    })
public final class ServeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "Files and folders to offer.")
  private List<Path> paths = List.of();

  @Mixin private ListenOptions listening = new ListenOptions();

  @Mixin private BrowserOption browsers = new BrowserOption();

  @Mixin private NetOptions net = new NetOptions();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = Converters.Size.class,
      description = "Memory for generations that clients want (default: ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--generation",
      paramLabel = "N",
      defaultValue = "64",
      converter = Converters.Count.class,
      description = "Source blocks per generation (default: ${DEFAULT-VALUE}).")
  private long generation;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "" + ServerSettings.DEFAULT_BLOCK_SIZE,
      converter = Converters.Size.class,
      description =
          "Block size; each block is a packet. The default fits every path (default:"
              + " ${DEFAULT-VALUE}).")
  private long blockSize;

  @Option(
      names = "--encrypt",
      paramLabel = "KEYFILE",
      description =
          "Encrypt before coding, with a key of 'fieldstone key encryption'. Names and lengths of"
              + " files stay readable.")
  private Optional<Path> encrypt = Optional.empty();

  @Option(
      names = "--sign",
      paramLabel = "KEYFILE",
      description =
          "Sign the name, id and time of each file, with a key of 'fieldstone key signing', for"
              + " clients with --publisher.")
  private Optional<Path> sign = Optional.empty();

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    ServerSettings settings = settings(session);
    return ListenOptions.run(session, "serving", engine -> start(session, engine, settings));
  }

  private static Server start(Session session, Engine engine, ServerSettings settings)
      throws IOException, InterruptedException {
    try (Hashing hashing = new Hashing(session)) {
      return Server.start(engine, settings, hashing::progress);
    }
  }

  private ServerSettings settings(Session session) throws IOException, Failure {
    ListenOptions.requireSize(spec, "--memory", memory);
    int n =
        Converters.requireInRange(spec, "--generation", generation, 1, GenerationShape.MAX_BLOCKS);
    int k =
        Converters.requireSizeInRange(
            spec, "--block-size", blockSize, 1, ServerSettings.MAX_BLOCK_SIZE);
    return ServerSettings.of(
            paths, listening.settings(session, net, memory).withBrowsers(browsers.address()))
        .withOffers(
            offers(session, new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), n, k)));
  }

  private OfferOptions offers(Session session, GenerationShape shape) throws IOException, Failure {
    Optional<MasterKey> master = KeyFiles.masterKey(session, encrypt);
    Optional<SigningKey> signing = Optional.empty();
    if (sign.isPresent()) {
      signing = Optional.of(KeyFiles.signingKey(session, sign.get()));
    }
    try {
      List<Path> secrets =
          Stream.of(encrypt, sign, net.tokenFile()).flatMap(Optional::stream).toList();
      return new OfferOptions(shape, master, signing, secrets);
    } catch (IllegalArgumentException e) {
      throw session.usage("--encrypt: " + e.getMessage());
    }
  }

  /** Shows a progress bar once the length is known. */
  private static final class Hashing implements AutoCloseable {
    private final Session session;
    private Optional<Progress> bar = Optional.empty();

    Hashing(Session session) {
      this.session = session;
    }

    void progress(long doneBytes, long totalBytes) {
      if (bar.isEmpty()) {
        bar = Optional.of(session.progress("hash", totalBytes));
      }
      bar.get().accept(doneBytes);
    }

    @Override
    public void close() {
      bar.ifPresent(Progress::close);
    }
  }
}
