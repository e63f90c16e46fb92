package io.fieldstone.cli.backup;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.ShellWord;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Workload;
import io.fieldstone.rlnc.backup.Damage;
import io.fieldstone.rlnc.backup.NoFilesException;
import io.fieldstone.rlnc.backup.ProtectionParameters;
import io.fieldstone.rlnc.backup.ProtectionResult;
import io.fieldstone.rlnc.backup.Protector;
import io.fieldstone.rlnc.backup.Selection;
import io.fieldstone.rlnc.backup.Selection.LeftOut;
import io.fieldstone.rlnc.backup.SetUpdate;
import io.fieldstone.rlnc.backup.UnreadableSetException;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone protect}: writes parity beside files that stay as they are. */
@StartUp(value = StartUp.Profile.C1, c2Options = "--block-size")
@Command(
    name = "protect",
    sortOptions = false,
    customSynopsis = "fieldstone protect PATH... -o DIR [OPTION]...",
    description = {
      "Write parity for files and folders, which stay as they are.",
      "",
      "'fieldstone verify DIR' finds damaged and missing files, and 'fieldstone repair DIR'"
          + " restores them. All files together are one set: damage in one place is spread over the"
          + " whole parity. Links inside folders are not followed, and named.",
      "",
      "With --update, files that are new or changed since the last run are added to the set in DIR;"
          + " deleted ones are taken from it. The volumes that are there stay as they are. Give the"
          + " same PATHs as at first.",
      "",
      "The paths in the set start from the folder that contains DIR, if it contains all of PATH;"
          + " else from the nearest folder that does, which verify and repair need as --base.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone protect photos -o photos.parity",
      "  fieldstone protect photos -o photos.parity --update",
      "  fieldstone protect photos letters tax.pdf -o parity --redundancy 0.2",
      "  fieldstone protect /srv/films -o /mnt/usb/parity --force",
    })
public final class ProtectCommand implements Callable<Integer> {

  /** The share from which on a warning is printed, as a multiple of that asked for. */
  private static final double MAX_EXCESS = 1.5;

  private static final double PERCENT = 100;

  /** The percentage from which on all digits of a whole number are printed. */
  private static final double THREE_DIGITS = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders to protect.")
  private List<Path> paths = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Folder of the parity; created if it does not exist.")
  private Path output = Path.of("");

  @Option(
      names = "--redundancy",
      paramLabel = "R",
      defaultValue = "0.1",
      converter = Converters.Fraction.class,
      description =
          "Bytes in DIR as a fraction of those of the files, or as 10%% (default:"
              + " ${DEFAULT-VALUE}). With --block-size, parity blocks as a fraction of the blocks.")
  private double redundancy;

  @Option(
      names = "--volumes",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of files in DIR, over which the parity is distributed (default: 4).")
  private Optional<Long> volumes = Optional.empty();

  @Option(
      names = "--generation",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Maximum source blocks per generation. Fewer are faster, and survive less scattered"
              + " damage (default: 232 with a redundancy of 0.1).")
  private Optional<Long> generation = Optional.empty();

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Block size (default: 4 KiB … 1 MiB, by the size of the set).")
  private Optional<Long> blockSize = Optional.empty();

  @Option(
      names = "--update",
      description =
          "Add what is new or changed to the set in DIR, and protect only that. Without a set"
              + " there, the first is made.")
  private boolean isUpdate;

  @Option(
      names = "--force",
      description =
          "Replace all parity in DIR. With --update: take a PATH that lost all of its files as"
              + " deleted on purpose.")
  private boolean force;

  @Option(
      names = "--strict",
      description = "Write nothing if a file cannot be protected. By default it is left out.")
  private boolean isStrict;

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    ProtectionParameters parameters = parameters();
    InputFiles.requireFolder(spec, output);
    if (isUpdate) {
      return update(session, parameters);
    }
    Selection selection = Selection.of(paths, output);
    selection.skipped().forEach(path -> session.warn("not protected, not a file: " + path));
    if (isStrict && !selection.leftOut().isEmpty() || selection.files().isEmpty()) {
      warn(session, selection.leftOut());
      requireAll(selection.leftOut());
      throw new Failure("no files to protect", paths.getFirst());
    }
    SetShape shape = shape(parameters, selection.files());
    session.warnOfRedundancy(redundancy);
    long length = selection.files().stream().mapToLong(SetFile::length).sum();
    try (Engine engine = session.openEngine(Workload.ofBlocks(length, shape.parity()))) {
      ProtectionResult result;
      try (Progress progress = session.progress("protect", length)) {
        result =
            new Protector(engine, parameters, force, isStrict)
                .protect(selection, output, (done, _) -> progress.accept(done));
      } catch (FileAlreadyExistsException e) {
        throw Failure.exists(e);
      }
      session.printProfile(result.profile());
      session.print(
          Result.of(result, selection), () -> text(result, selection, engine, session.isVerbose()));
      warnOfShare(session, parameters, result);
      warn(session, result.leftOut());
      requireAll(result.leftOut());
      return ExitCode.OK;
    }
  }

  private int update(Session session, ProtectionParameters parameters)
      throws IOException, InterruptedException, Failure {
    try (SetUpdate update = SetUpdate.open(paths, output, force)) {
      Selection selection = update.selection();
      selection.skipped().forEach(path -> session.warn("not protected, not a file: " + path));
      boolean isNothing = update.isFirst() && selection.files().isEmpty();
      if (isStrict && !selection.leftOut().isEmpty() || isNothing) {
        warn(session, selection.leftOut());
        requireAll(selection.leftOut());
        throw new Failure("no files to protect", paths.getFirst());
      }
      session.warnOfRedundancy(redundancy);
      SetShape shape = shape(update, parameters);
      long length = update.files().stream().mapToLong(SetFile::length).sum();
      try (Engine engine = session.openEngine(Workload.ofBlocks(length, shape.parity()))) {
        SetUpdate.Result result;
        try (Progress progress = session.progress("protect", length)) {
          result = update.run(engine, parameters, isStrict, (done, _) -> progress.accept(done));
        }
        result.protection().ifPresent(one -> session.printProfile(one.profile()));
        session.print(
            UpdateResult.of(result, selection),
            () -> text(result, selection, engine, session.isVerbose()));
        List<LeftOut> leftOut =
            result.protection().isPresent() ? result.leftOut() : selection.leftOut();
        warn(session, leftOut);
        requireAll(leftOut);
        requireIntact(result);
        return ExitCode.OK;
      }
    } catch (NoFilesException e) {
      throw new Failure(
          "has none of the files of the set; give the same PATHs as at first", e.base());
    } catch (UnreadableSetException e) {
      throw SetText.unreadable(e);
    }
  }

  /** Checks that no layer stayed that is too weak. */
  private void requireIntact(SetUpdate.Result result) throws Failure {
    if (!result.damaged().isEmpty()) {
      throw new Failure(
          ("%s is damaged, so what the same run protects was not protected again;"
                  + " 'fieldstone repair' restores it, then update again")
              .formatted(result.damaged().getFirst().name()),
          output);
    }
  }

  /** The result of an update as {@code --json} prints it. */
  private record UpdateResult(
      String id,
      String base,
      int update,
      int files,
      long bytes,
      int newFiles,
      int changedFiles,
      int goneFiles,
      int againFiles,
      long updateBytes,
      int blockSize,
      int generations,
      int n,
      int parity,
      List<String> volumes,
      long volumeBytes,
      List<String> damaged,
      List<String> notProtected,
      List<LeftOut> leftOut,
      double seconds) {

    static UpdateResult of(SetUpdate.Result result, Selection selection) {
      Optional<ProtectionResult> added = result.protection();
      Optional<SetShape> shape = added.map(one -> one.manifest().shape());
      return new UpdateResult(
          result.id().toString(),
          selection.base().toString(),
          added.map(one -> one.manifest().update()).orElse(0),
          result.files(),
          result.bytes(),
          result.newFiles(),
          result.changedFiles(),
          result.goneFiles(),
          result.againFiles(),
          added.map(one -> one.manifest().length()).orElse(0L),
          shape.map(SetShape::blockSize).orElse(0),
          shape.map(SetShape::generations).orElse(0),
          shape.map(SetShape::blocks).orElse(0),
          shape.map(SetShape::parity).orElse(0),
          added.map(ProtectionResult::volumes).orElse(List.of()).stream()
              .map(Path::toString)
              .toList(),
          added.map(ProtectionResult::volumeBytes).orElse(0L),
          result.damaged().stream().map(Damage::name).toList(),
          selection.skipped().stream().map(Path::toString).toList(),
          added.isPresent() ? result.leftOut() : selection.leftOut(),
          added.map(ProtectionResult::seconds).orElse(0.0));
    }
  }

  private String text(
      SetUpdate.Result result, Selection selection, Engine engine, boolean isVerbose) {
    if (result.protection().isEmpty()) {
      return "%s of %s: nothing to add%n"
          .formatted(ShardText.plural(result.files(), "file"), Units.bytes(result.bytes()));
    }
    ProtectionResult added = result.protection().get();
    SetManifest manifest = added.manifest();
    if (manifest.update() == 0) {
      return text(added, selection, engine, isVerbose);
    }
    SetShape shape = manifest.shape();
    long larger = Math.max(manifest.length(), added.volumeBytes());
    return """
    update %d: %s, %d changed, %d deleted; %s of %s in all
    %s%s%s%s: %s of parity for %s
    check with: fieldstone verify %s%s
    %s
    """
        .formatted(
            manifest.update(),
            ShardText.plural(result.newFiles(), "new file"),
            result.changedFiles(),
            result.goneFiles(),
            ShardText.plural(result.files(), "file"),
            Units.bytes(result.bytes()),
            result.againFiles() == 0
                ? ""
                : ShardText.plural(result.againFiles(), "file")
                    + " protected again, because their parity became weak by deletions\n",
            isVerbose ? SetText.generations(shape) + "\n" : "",
            Printable.line(added.volumes().getFirst()),
            shape.volumes() == 1 ? "" : " … " + added.volumes().getLast().getFileName(),
            Units.like(larger, added.volumeBytes()),
            Units.like(larger, manifest.length()),
            ShellWord.of(output),
            selection.base().equals(SetText.defaultBase(output))
                ? ""
                : " --base " + ShellWord.of(selection.base()),
            ShardText.took(manifest.length(), added.seconds(), engine, isVerbose));
  }

  private static void warnOfShare(
      Session session, ProtectionParameters parameters, ProtectionResult result) {
    SetManifest manifest = result.manifest();
    if (parameters.excess(manifest.shape(), manifest.files()) > MAX_EXCESS) {
      session.warn(
          "the parity is %s of the files, not %s: small files, or names and hashes in %s"
              .formatted(
                  percent(result.share()),
                  percent(parameters.redundancy()),
                  ShardText.plural(manifest.shape().volumes(), "volume")));
    }
  }

  private static String percent(double share) {
    double percent = PERCENT * share;
    return String.format(Locale.ROOT, percent < THREE_DIGITS ? "%.3g %%" : "%.0f %%", percent);
  }

  private static void warn(Session session, List<LeftOut> leftOut) {
    leftOut.forEach(one -> session.warn("not protected: " + text(one)));
  }

  private static String text(LeftOut one) {
    return one.file() + ": " + one.reason();
  }

  /** Checks that all files are protected. */
  private static void requireAll(List<LeftOut> leftOut) throws Failure {
    if (!leftOut.isEmpty()) {
      throw Failure.reported(
          "%d not protected, the first one".formatted(leftOut.size()), text(leftOut.getFirst()));
    }
  }

  private ProtectionParameters parameters() {
    try {
      return new ProtectionParameters(
          redundancy,
          inRange("--generation", generation, 255),
          inRange("--block-size", blockSize, SetShape.MAX_BLOCK_SIZE),
          inRange("--volumes", volumes, 255));
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, "--" + e.getMessage());
    }
  }

  private OptionalInt inRange(String option, Optional<Long> value, int max) {
    return value.isPresent()
        ? OptionalInt.of(Converters.requireInRange(spec, option, value.get(), 1, max))
        : OptionalInt.empty();
  }

  private SetShape shape(ProtectionParameters parameters, List<SetFile> files) {
    try {
      return parameters.shape(files);
    } catch (IllegalArgumentException e) {
      throw unfit(e);
    }
  }

  private SetShape shape(SetUpdate update, ProtectionParameters parameters) {
    try {
      return update.fitting(parameters).shape(update.files());
    } catch (IllegalArgumentException e) {
      throw unfit(e);
    }
  }

  private ParameterException unfit(IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    return Converters.usage(spec, message.startsWith("volumes") ? "--" + message : message);
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String id,
      String base,
      int files,
      long bytes,
      int blockSize,
      int generations,
      int n,
      int parity,
      long burstBytes,
      long lostFileBytes,
      List<String> volumes,
      long volumeBytes,
      double share,
      List<String> notProtected,
      List<LeftOut> leftOut,
      double seconds) {

    static Result of(ProtectionResult result, Selection selection) {
      SetManifest manifest = result.manifest();
      SetShape shape = manifest.shape();
      return new Result(
          manifest.id().toString(),
          selection.base().toString(),
          manifest.files().size(),
          manifest.length(),
          shape.blockSize(),
          shape.generations(),
          shape.blocks(),
          shape.parity(),
          shape.burstBytes(),
          shape.lostFileBytes(),
          result.volumes().stream().map(Path::toString).toList(),
          result.volumeBytes(),
          result.share(),
          selection.skipped().stream().map(Path::toString).toList(),
          result.leftOut(),
          result.seconds());
    }
  }

  private String text(
      ProtectionResult result, Selection selection, Engine engine, boolean isVerbose) {
    SetManifest manifest = result.manifest();
    SetShape shape = manifest.shape();
    return """
    %s of %s, paths from %s
    %s%s%s: %s%s
    survives for certain, one of these:
    %s  damage of up to %s in one place
      the loss of a file of up to %s
    %scheck with: fieldstone verify %s%s
    %s
    """
        .formatted(
            ShardText.plural(manifest.files().size(), "file"),
            Units.bytes(manifest.length()),
            Printable.line(selection.base()),
            isVerbose
                ? "%s in %s\n"
                    .formatted(
                        ShardText.plural(manifest.sourceBlocks(), "block"),
                        SetText.generations(shape))
                : "",
            Printable.line(result.volumes().getFirst()),
            shape.volumes() == 1 ? "" : " … " + result.volumes().getLast().getFileName(),
            Units.bytes(result.volumeBytes()),
            manifest.length() == 0 ? "" : ", " + percent(result.share()) + " of the files",
            isVerbose
                ? "  any %s of each generation\n"
                    .formatted(ShardText.plural(shape.parity(), "block"))
                : "",
            Units.bytes(shape.burstBytes()),
            Units.bytes(shape.lostFileBytes()),
            shape.volumes() == 1
                ? ""
                : "  the loss of any %d of %d volumes%n"
                    .formatted(shape.volumes() - 1, shape.volumes()),
            ShellWord.of(output),
            selection.base().equals(SetText.defaultBase(output))
                ? ""
                : " --base " + ShellWord.of(selection.base()),
            ShardText.took(manifest.length(), result.seconds(), engine, isVerbose));
  }
}
