package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.cli.key.PublisherOptions;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.fetch.Fetch;
import io.fieldstone.net.fetch.FetchFailedException;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FetchSettings;
import io.fieldstone.net.fetch.FolderFetch;
import io.fieldstone.net.fetch.FolderResult;
import io.fieldstone.net.fetch.ListedObject;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
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

/** Runs {@code fieldstone fetch}: fetches an object from servers. */
@StartUp(value = StartUp.Profile.TRANSFER, c2Options = "--key")
@Command(
    name = "fetch",
    sortOptions = false,
    customSynopsis = {
      "fieldstone fetch NAME|ID --from HOST[:PORT][,…] -o FILE [OPTION]...",
      "fieldstone fetch NAME|ID|FOLDER/... --from HOST[:PORT][,…] -o DIR [OPTION]...",
      "fieldstone fetch --list [NAME|FOLDER/]... --from HOST[:PORT][,…] [OPTION]...",
    },
    description = {
      "Fetch files or folders from one or more servers and relays at once, and verify them.",
      "",
      "A folder ends with /: photos/ fetches the files below photos to DIR, / all that the servers"
          + " have. An equal file that is there is not fetched again; another one is replaced only"
          + " with --force.",
      "",
      "FILE appears when all of it is verified. Its verified part is in a file beside it, from"
          + " which the same command continues an interrupted fetch. The fingerprint of an unknown"
          + " server is remembered, and the server is refused if it changes. A device or FIFO is"
          + " written to in order, as standard output is.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone fetch film.mkv --from a.example:4433,b.example:4433 -o film.mkv",
      "  fieldstone fetch film.mkv --from a.example:4433 -o - | mpv -",
      "  fieldstone fetch film.mkv --from a.example:4433 -o film.mkv --key film.key",
      "  fieldstone fetch --list --from a.example",
      "  fieldstone fetch photos/ --from a.example -o photos",
    })
public final class FetchCommand implements Callable<Integer> {

  private static final long MIN_WINDOW_BYTES = 1 << 20;
  private static final double MAX_SECONDS = 1e6;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "NAME|ID",
      arity = "0..*",
      description =
          "Name of a file, at least 8 digits of the id of an object, or a folder with / at its"
              + " end.")
  private List<String> queries = List.of();

  @Option(
      names = "--list",
      description = "List the files of the servers with sizes and ids, and fetch none.")
  private boolean isList;

  @Mixin private SourceOptions sources = new SourceOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Output file, or folder of the output files; - for standard output, in order as it is"
              + " verified.")
  private Optional<Path> outputPath = Optional.empty();

  @Option(names = "--force", description = "Replace other files of the same names.")
  private boolean force;

  @Option(
      names = "--key",
      paramLabel = "KEYFILE",
      description = "Key with which the file was encrypted ('fieldstone key encryption').")
  private Optional<Path> key = Optional.empty();

  @Mixin private PublisherOptions publishers = new PublisherOptions();

  @Mixin private NetOptions net = new NetOptions();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      converter = Converters.Size.class,
      description =
          "Memory for generations that are not complete, and at most as much for the hashes of all"
              + " generations (default: ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      converter = Converters.Decimal.class,
      description = "Fail after this time without progress (default: ${DEFAULT-VALUE}).")
  private double patience;

  @Mixin private PagesOption pages = new PagesOption();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure, FetchFailedException {
    Session session = Session.of(spec);
    FetchSettings settings = settings(session);
    if (isList) {
      return list(session, settings);
    }
    if (queries.isEmpty()) {
      throw session.usage("missing NAME, ID or FOLDER/; 'fetch --list' shows what servers have");
    }
    Path output =
        outputPath.orElseThrow(() -> session.usage("missing -o with the output file or folder"));
    boolean isStream = InputFiles.isStandardOutput(output);
    session.requireOneOnStandardOutput("-o", isStream);
    boolean isFolder =
        queries.size() > 1 || queries.getFirst().endsWith("/") || Files.isDirectory(output);
    try {
      return isFolder
          ? fetchFolder(session, settings, output)
          : fetchFile(session, settings.withQuery(queries.getFirst()), output, isStream);
    } catch (InterruptedException e) {
      if (isStream) {
        throw e;
      }
      throw new FetchFailedException(
          "interrupted; the same command continues with what is verified");
    }
  }

  private int list(Session session, FetchSettings settings)
      throws FetchFailedException, InterruptedException {
    if (outputPath.isPresent()) {
      throw session.usage("--list fetches nothing, so it has no -o");
    }
    try (Engine engine = session.openCores()) {
      FolderFetch fetch = new FolderFetch(engine, settings, session.threads());
      List<ListedObject> found = queries.isEmpty() ? fetch.list() : fetch.list(queries);
      if (found.isEmpty() && !queries.isEmpty()) {
        throw new FetchFailedException("no server has " + String.join(" or ", queries));
      }
      FolderReport.Listing listing = FolderReport.Listing.of(found);
      session.print(listing, () -> listing.text(settings.servers().size()));
      return ExitCode.OK;
    }
  }

  private int fetchFolder(Session session, FetchSettings settings, Path folder)
      throws IOException, InterruptedException, Failure, FetchFailedException {
    InputFiles.requireFolder(spec, folder);
    if (pages.address().isPresent()) {
      throw session.usage("--http is for one file");
    }
    try (Engine engine = session.openEngine();
        FetchBar bar = new FetchBar(session)) {
      FolderResult result =
          new FolderFetch(engine, settings, session.threads()).fetch(queries, folder, force, bar);
      bar.remove();
      return FolderReport.print(session, result, folder);
    }
  }

  private int fetchFile(Session session, FetchSettings settings, Path output, boolean isStream)
      throws IOException, InterruptedException, Failure, FetchFailedException {
    if (!isStream) {
      InputFiles.requireWritable(output);
    }
    try (Engine engine = session.openEngine();
        FetchBar bar = new FetchBar(session)) {
      Fetch fetch = new Fetch(engine, settings, session.threads(), bar);
      FetchResult result = run(session, fetch, output, isStream);
      bar.remove();
      FolderReport.warnOfSources(session, result.sources());
      if (!isStream) {
        session.print(Result.of(result, output), () -> text(result, output, session.isVerbose()));
      }
      return ExitCode.OK;
    }
  }

  private FetchResult run(Session session, Fetch fetch, Path output, boolean isStream)
      throws IOException, InterruptedException, Failure, FetchFailedException {
    try (PagesOption.Open _ = pages.open(session, fetch::openPages)) {
      if (isStream) {
        return fetch.toStream(session.streams().data(), "standard output");
      }
      return force ? fetch.toFile(output) : fetch.toNewFile(output);
    } catch (FileAlreadyExistsException e) {
      throw Failure.exists(e);
    }
  }

  private FetchSettings settings(Session session) throws IOException, Failure {
    Converters.requireSizeInRange(spec, "--memory", memory, MIN_WINDOW_BYTES, Integer.MAX_VALUE);
    Converters.requireFraction(spec, "--patience", patience, 0.001, MAX_SECONDS);
    long patienceNanos = (long) (patience * 1e9);
    Optional<MasterKey> master = KeyFiles.masterKey(session, key);
    FetchSettings settings =
        FetchSettings.of("", sources.servers(spec, FetchSettings.MAX_SERVERS), net.state());
    return settings
        .withTrusted(sources.trusted(spec))
        .withToken(net.token())
        .withPacing(net.bytesPerSecond(), net.isCubic())
        .withWindowBytes(memory)
        .withKey(master)
        .withPublishers(publishers.keys(spec))
        .withPatience(Math.min(settings.stallNanos(), patienceNanos), patienceNanos);
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String name,
      String file,
      String id,
      Optional<String> keyId,
      Optional<String> publisher,
      long bytes,
      long resumedBytes,
      long zeroBytes,
      boolean wasThere,
      double seconds,
      double megabytesPerSecond,
      double overheadPercent,
      List<SourceResult> sources) {

    static Result of(FetchResult result, Path file) {
      return new Result(
          result.name(),
          file.toString(),
          result.id().toString(),
          result.manifest().encryption().map(each -> "%016x".formatted(each.keyId())),
          result.publisher().map(PublisherKey::toString),
          result.bytes(),
          result.resumedBytes(),
          result.zeroBytes(),
          result.wasThere(),
          result.nanos() / 1e9,
          Units.megabytes(result.fetchedBytes(), result.nanos()),
          100 * result.overhead(),
          result.sources().stream().map(SourceResult::of).toList());
    }
  }

  private static String text(FetchResult result, Path file, boolean isVerbose) {
    long length = result.bytes();
    String bytes = "%s: %s".formatted(Printable.line(file), Units.bytes(length));
    if (result.wasThere()) {
      return "%s, there already, equal\nid %s\n".formatted(bytes, result.id());
    }
    StringBuilder text = new StringBuilder(bytes);
    if (result.resumedBytes() > 0) {
      text.append(", %s of them from before".formatted(Units.bytes(result.resumedBytes())));
    }
    if (result.zeroBytes() > 0) {
      text.append(", %s of them zeros".formatted(Units.bytes(result.zeroBytes())));
    }
    text.append("\nid %s, verified\n".formatted(result.id()));
    result.publisher().ifPresent(each -> text.append("signed by %s\n".formatted(each)));
    text.append(
        "%s, %s%s\n"
            .formatted(
                Units.duration(result.nanos()),
                Units.rate(result.fetchedBytes(), result.nanos()),
                isVerbose ? ", overhead %s %%".formatted(Units.percent(result.overhead())) : ""));
    FolderReport.appendSources(text, result.sources(), isVerbose);
    return text.toString();
  }
}
