package io.fieldstone.cli.backup;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.rlnc.backup.SetListing;
import io.fieldstone.rlnc.backup.SetReport;
import io.fieldstone.rlnc.backup.SetVerifier;
import io.fieldstone.rlnc.backup.UnreadableSetException;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetShape;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone list}: shows the files and the layers of a set. */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "list",
    sortOptions = false,
    customSynopsis = "fieldstone list DIR [OPTION]...",
    description = {
      "Show the files that the parity in DIR protects, and which run of protect added them.",
      "",
      "Only the descriptions in DIR are read; the files need not be there. 'fieldstone verify DIR"
          + " --parity-only' checks the parity without the files.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone list photos.parity",
      "  fieldstone list photos.parity --json",
    })
public final class ListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ParityOption options = new ParityOption();

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    Path folder = options.folder();
    SetListing listing;
    String id;
    try {
      SetVerifier verifier = SetVerifier.open(folder, 1);
      listing = verifier.list();
      id = verifier.manifest().id().toString();
    } catch (UnreadableSetException e) {
      throw SetText.unreadable(e);
    }
    session.print(Result.of(id, listing), () -> text(listing, session.isVerbose()));
    return ExitCode.OK;
  }

  /** A file as {@code --json} prints it. */
  private record Entry(
      String name, long bytes, Optional<Instant> modified, Optional<String> mode, int update) {

    static Entry of(SetListing.Entry entry) {
      SetFile file = entry.file();
      return new Entry(
          file.path(),
          file.length(),
          time(file),
          file.mode() == SetFile.UNKNOWN_MODE
              ? Optional.empty()
              : Optional.of(Integer.toOctalString(file.mode())),
          entry.update());
    }
  }

  /** A layer as {@code --json} prints it. */
  private record Layer(
      String id,
      int update,
      int files,
      int retiredFiles,
      int blockSize,
      int generations,
      int n,
      int parity,
      List<String> volumes,
      int missingVolumes) {

    static Layer of(SetListing.Layer layer) {
      SetShape shape = layer.manifest().shape();
      return new Layer(
          layer.manifest().id().toString(),
          layer.manifest().update(),
          layer.manifest().files().size() - layer.retiredFiles(),
          layer.retiredFiles(),
          shape.blockSize(),
          shape.generations(),
          shape.blocks(),
          shape.parity(),
          layer.volumes(),
          layer.missingVolumes());
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String id,
      long bytes,
      List<Entry> files,
      List<Layer> layers,
      List<SetReport.MissingLayer> missingUpdates,
      List<String> otherFiles) {

    static Result of(String id, SetListing listing) {
      return new Result(
          id,
          listing.length(),
          listing.files().stream().map(Entry::of).toList(),
          listing.layers().stream().map(Layer::of).toList(),
          listing.missing(),
          listing.others().stream().map(Path::toString).toList());
    }
  }

  private static Optional<Instant> time(SetFile file) {
    if (file.modifiedNs() == SetFile.UNKNOWN_TIME) {
      return Optional.empty();
    }
    long second = TimeUnit.SECONDS.toNanos(1);
    return Optional.of(
        Instant.ofEpochSecond(
            Math.floorDiv(file.modifiedNs(), second), Math.floorMod(file.modifiedNs(), second)));
  }

  private static String parity(SetShape shape, boolean isVerbose) {
    String bytes = Units.bytes((long) shape.parityBlocks() * shape.blockSize());
    return isVerbose ? "%s: %s".formatted(bytes, SetText.generations(shape)) : bytes;
  }

  private static String text(SetListing listing, boolean isVerbose) {
    TextTable files =
        new TextTable().number("bytes").text("modified").text("protected by").text("file");
    for (SetListing.Entry entry : listing.files()) {
      files.row(
          Units.count(entry.file().length()),
          time(entry.file())
              .map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString())
              .orElse(""),
          SetText.name(entry.update()),
          entry.file().path());
    }
    TextTable layers = new TextTable().text("run").number("files").text("parity").text("volumes");
    for (SetListing.Layer layer : listing.layers()) {
      layers.row(
          SetText.name(layer.manifest().update()),
          Units.count(layer.manifest().files().size() - layer.retiredFiles()),
          parity(layer.manifest().shape(), isVerbose),
          layer.volumes().getFirst()
              + (layer.volumes().size() == 1 ? "" : " … " + layer.volumes().getLast())
              + (layer.missingVolumes() == 0
                  ? ""
                  : ", %d missing".formatted(layer.missingVolumes())));
    }
    StringBuilder text = new StringBuilder();
    if (!listing.files().isEmpty()) {
      text.append(files).append('\n');
    }
    text.append(layers).append('\n');
    listing.missing().forEach(layer -> text.append(SetText.missing(layer)).append('\n'));
    listing
        .others()
        .forEach(other ->
            text.append("not of this set: ")
                .append(ErrorLine.oneLine(other.toString()))
                .append('\n'));
    return text.append(
            "%s of %s%n"
                .formatted(
                    ShardText.plural(listing.files().size(), "file"),
                    Units.bytes(listing.length())))
        .toString();
  }
}
