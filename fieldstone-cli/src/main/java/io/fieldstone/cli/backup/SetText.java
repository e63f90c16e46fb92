package io.fieldstone.cli.backup;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.ShellWord;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.rlnc.backup.Damage;
import io.fieldstone.rlnc.backup.LayerReport;
import io.fieldstone.rlnc.backup.NoFilesException;
import io.fieldstone.rlnc.backup.SetReport;
import io.fieldstone.rlnc.backup.UnreadableSetException;
import io.fieldstone.rlnc.wire.SetShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats the state of a set. */
final class SetText {

  private static final String WHERE_MORE =
      ", of files or parity; with --also, a folder is searched for them";

  /** The new files that are named. */
  private static final int MAX_ADDED = 4;

  private SetText() {}

  /** Returns the folder that contains the folder of the parity. */
  static Path defaultBase(Path folder) {
    Path absolute = folder.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }

  /** A damaged file or volume as {@code --json} prints it. */
  record Part(
      String name,
      boolean isMissing,
      long bytes,
      long foundBytes,
      int blocks,
      int lostBlocks,
      int unrestorableBlocks,
      int movedBlocks,
      int damagedPages,
      List<Damage.Range> ranges,
      List<Damage.Shift> shifts,
      String foundAs,
      OptionalLong unreadable,
      String problem) {

    static Part of(Damage damage) {
      return new Part(
          damage.name(),
          damage.isMissing(),
          damage.length(),
          damage.found(),
          damage.blocks(),
          damage.lost(),
          damage.unrestorable(),
          damage.moved(),
          damage.damagedPages(),
          damage.ranges(),
          damage.shifts(),
          damage.foundAs(),
          damage.unreadable(),
          damage.problem());
    }
  }

  /** A layer of a set as {@code --json} prints it. */
  record Layer(
      String id,
      int update,
      int files,
      int retiredFiles,
      long bytes,
      int blockSize,
      int generations,
      int n,
      int parity,
      int usedBlocks,
      int spareBlocks) {

    static Layer of(LayerReport layer) {
      SetShape shape = layer.manifest().shape();
      return new Layer(
          layer.manifest().id().toString(),
          layer.manifest().update(),
          layer.liveFiles(),
          layer.retiredFiles(),
          layer.liveBytes(),
          shape.blockSize(),
          shape.generations(),
          shape.blocks(),
          shape.parity(),
          layer.used(),
          layer.spare());
    }
  }

  /** The state of a set as {@code --json} prints it. */
  record State(
      String id,
      boolean isIntact,
      boolean isRestorable,
      int files,
      long bytes,
      List<Layer> layers,
      List<SetReport.MissingLayer> missingUpdates,
      List<Part> damagedFiles,
      List<Part> damagedVolumes,
      List<String> otherFiles,
      List<String> newFiles,
      int lostBlocks,
      int lostParityBlocks,
      int unrestorableGenerations,
      int neededBlocks,
      int spareBlocks) {

    static State of(SetReport report) {
      return new State(
          report.manifest().id().toString(),
          report.isIntact(),
          report.isRestorable(),
          report.fileCount(),
          report.length(),
          report.layers().stream().map(Layer::of).toList(),
          report.missing(),
          report.files().stream().map(Part::of).toList(),
          report.volumes().stream().map(Part::of).toList(),
          report.others().stream().map(Path::toString).toList(),
          report.added(),
          report.lost(),
          report.lostParity(),
          report.unrestorableGenerations(),
          report.needed(),
          report.spare());
    }
  }

  /**
   * Describes a set, and every file and volume with damage.
   *
   * @param isParityOnly whether the files were not read
   * @param isVerbose whether generations and blocks are described, too
   */
  static String text(SetReport report, boolean isParityOnly, boolean isVerbose) {
    StringBuilder text = new StringBuilder(head(report, isVerbose));
    if (!report.files().isEmpty() || !report.volumes().isEmpty()) {
      text.append('\n').append(table(report, isVerbose)).append('\n');
    }
    for (SetReport.MissingLayer layer : report.missing()) {
      text.append(missing(layer)).append('\n');
    }
    for (Path other : report.others()) {
      text.append("not of this set: ").append(ErrorLine.oneLine(other.toString())).append('\n');
    }
    if (!report.added().isEmpty()) {
      text.append(added(report)).append('\n');
    }
    return text.append(verdict(report, isParityOnly, isVerbose)).append('\n').toString();
  }

  /** Describes the layers of a set. */
  private static String head(SetReport report, boolean isVerbose) {
    StringBuilder text = new StringBuilder();
    if (report.layers().size() == 1) {
      SetShape shape = report.manifest().shape();
      return "%s of %s%s%s%n"
          .formatted(
              ShardText.plural(report.fileCount(), "file"),
              Units.bytes(report.length()),
              isVerbose ? " in " + generations(shape) : "",
              used(report.layers().getFirst()));
    }
    text.append(
        "%s of %s, protected by %s%n"
            .formatted(
                ShardText.plural(report.fileCount(), "file"),
                Units.bytes(report.length()),
                ShardText.plural(report.layers().size(), "run")));
    for (LayerReport layer : report.layers()) {
      text.append(
          "  %s: %s of %s%s%s%n"
              .formatted(
                  name(layer.manifest().update()),
                  ShardText.plural(layer.liveFiles(), "file"),
                  Units.bytes(layer.liveBytes()),
                  isVerbose ? " in " + generations(layer.manifest().shape()) : "",
                  used(layer)));
    }
    return text.toString();
  }

  /** Returns the name of the run of protect that made a layer. */
  static String name(int update) {
    return update == 0 ? "first run" : "update " + update;
  }

  /** Describes the generations of a layer. */
  static String generations(SetShape shape) {
    return "%s of %d + %d blocks of %s"
        .formatted(
            ShardText.plural(shape.generations(), "generation"),
            shape.blocks(),
            shape.parity(),
            Units.bytes(shape.blockSize()));
  }

  /** Returns what retired files use up. */
  private static String used(LayerReport layer) {
    return layer.used() == 0
        ? ""
        : "; deleted and changed files use up %s %% of its parity"
            .formatted(Units.percent((double) layer.used() / layer.manifest().shape().parity()));
  }

  /** Describes a layer that cannot be read. */
  static String missing(SetReport.MissingLayer layer) {
    return "%s %s: %s not protected; 'fieldstone protect --update' protects %s again"
        .formatted(
            layer.update() == 0 ? "the first run" : name(layer.update()),
            layer.isDamaged() ? "has no whole manifest" : "has no volumes",
            ShardText.plural(layer.files(), "file"),
            layer.files() == 1 ? "it" : "them");
  }

  /** Names the first files that are not part of the set. */
  private static String added(SetReport report) {
    int count = report.added().size();
    return "%s not protected: %s%s"
        .formatted(
            ShardText.plural(count, "new file"),
            report.added().stream()
                .limit(MAX_ADDED)
                .map(ErrorLine::oneLine)
                .collect(Collectors.joining(", ")),
            count > MAX_ADDED ? " and %s others".formatted(Units.count(count - MAX_ADDED)) : "");
  }

  /** Returns a row for each file and then for each volume with damage; blocks are for experts. */
  private static TextTable table(SetReport report, boolean isVerbose) {
    TextTable table =
        new TextTable().text("file").text("state").number("lost").number("of").text("where");
    List<Function<LayerReport, List<Damage>>> kinds =
        List.of(LayerReport::files, LayerReport::volumes);
    for (Function<LayerReport, List<Damage>> kind : kinds) {
      for (LayerReport layer : report.layers()) {
        for (Damage damage : kind.apply(layer)) {
          long lost = bytes(layer, damage.lost(), damage);
          table.row(
              damage.name(),
              state(layer, damage, isVerbose),
              isVerbose ? Units.count(damage.lost()) : Units.numberIn(damage.length(), lost),
              isVerbose ? ShardText.plural(damage.blocks(), "block") : Units.bytes(damage.length()),
              where(damage));
        }
      }
    }
    return table;
  }

  /** Returns the bytes of blocks, the last of which may be a part. */
  private static long bytes(LayerReport layer, int blocks, Damage damage) {
    return Math.min(bytes(layer, blocks), damage.length());
  }

  private static long bytes(LayerReport layer, int blocks) {
    return (long) blocks * layer.manifest().shape().blockSize();
  }

  /** Returns the bytes of as many blocks as a number of each layer says. */
  private static long bytes(SetReport report, ToIntFunction<LayerReport> blocks) {
    return report.layers().stream()
        .mapToLong(layer -> bytes(layer, blocks.applyAsInt(layer)))
        .sum();
  }

  /** Returns the bytes of lost blocks, of files and of parity. */
  static long lostBytes(SetReport report) {
    return bytes(report, LayerReport::lost) + bytes(report, LayerReport::lostParity);
  }

  private static String state(LayerReport layer, Damage damage, boolean isVerbose) {
    List<String> states = new ArrayList<>();
    if (damage.isMissing()) {
      states.add("missing");
    } else if (!damage.problem().isEmpty()) {
      states.add(damage.problem());
    } else {
      long more = damage.found() - damage.length();
      if (more > 0) {
        states.add(ShardText.plural(more, "byte") + " too long");
      } else if (more < 0) {
        states.add(ShardText.plural(-more, "byte") + " too short");
      } else if (damage.lost() > 0) {
        states.add("damaged");
      }
      damage.unreadable().ifPresent(at -> states.add("byte %d cannot be read".formatted(at)));
      if (!damage.foundAs().isEmpty()) {
        states.add("found as " + damage.foundAs());
      }
      if (damage.damagedPages() > 0) {
        states.add(ShardText.plural(damage.damagedPages(), "page") + " of the manifest damaged");
      }
    }
    damage.shifts().stream()
        .filter(shift -> shift.by() != 0 || !shift.in().isEmpty())
        .map(shift -> shift(damage, shift))
        .distinct()
        .forEach(states::add);
    if (damage.unrestorable() > 0) {
      String lost =
          isVerbose
              ? Units.count(damage.unrestorable())
              : Units.bytes(bytes(layer, damage.unrestorable(), damage));
      states.add(lost + " not restorable");
    }
    return String.join(", ", states);
  }

  private static String shift(Damage damage, Damage.Shift shift) {
    if (shift.in().equals(damage.name())) {
      return "equal to intact bytes";
    }
    return shift.in().isEmpty()
        ? "shifted by " + (shift.by() > 0 ? "+" : "") + ShardText.plural(shift.by(), "byte")
        : "found in " + shift.in();
  }

  private static String where(Damage damage) {
    if (damage.isMissing() || damage.lost() == 0) {
      return "";
    }
    String ranges =
        damage.ranges().stream()
            .map(range -> range.from() + " … " + (range.to() - 1))
            .collect(Collectors.joining(", "));
    return "bytes "
        + ranges
        + (damage.ranges().size() == Damage.MAX_RANGES ? " and perhaps others" : "");
  }

  private static String verdict(SetReport report, boolean isParityOnly, boolean isVerbose) {
    if (report.isIntact()) {
      return isParityOnly
          ? "all parity is intact; the files were not read"
          : "all files and all parity are intact";
    }
    if (!report.missing().isEmpty() && report.layers().stream().allMatch(LayerReport::isIntact)) {
      return "all other files and their parity are intact";
    }
    if (report.isRestorable()) {
      return "all can be restored: " + (isVerbose ? lostBlocks(report) : lost(report));
    }
    if (!report.missing().isEmpty()
        && report.layers().stream().allMatch(LayerReport::isRestorable)) {
      return "all other files can be restored";
    }
    if (report.unrestorableGenerations() == 0) {
      return "not all can be restored: a file has something else in its place, or cannot be read";
    }
    return "not all can be restored: "
        + (isVerbose ? shortGenerations(report) : neededBytes(report) + WHERE_MORE);
  }

  private static String lost(SetReport report) {
    long files = bytes(report, LayerReport::lost);
    long parity = bytes(report, LayerReport::lostParity);
    long spare =
        report.layers().stream()
            .filter(layer -> layer.manifest().shape().generations() > 0)
            .mapToLong(layer -> bytes(layer, layer.spare()))
            .min()
            .orElse(0);
    long most = Math.max(files, Math.max(parity, spare));
    return "%s of files and %s of parity are lost; %s more may be lost anywhere"
        .formatted(Units.like(most, files), Units.like(most, parity), Units.like(most, spare));
  }

  private static String lostBlocks(SetReport report) {
    return "%s of files and %s of parity; at least %s to spare"
        .formatted(
            ShardText.plural(report.lost(), "lost block"),
            Units.count(report.lostParity()),
            ShardText.plural(report.spare(), "block"));
  }

  private static String neededBytes(SetReport report) {
    return Units.bytes(bytes(report, LayerReport::needed)) + " more are needed";
  }

  private static String shortGenerations(SetReport report) {
    return "%s of %s lost too many blocks, %s needed"
        .formatted(
            Units.count(report.unrestorableGenerations()),
            ShardText.plural(
                report.layers().stream()
                    .mapToInt(layer -> layer.manifest().shape().generations())
                    .sum(),
                "generation"),
            needed(report));
  }

  private static String needed(SetReport report) {
    return "%s of %s %s"
        .formatted(
            ShardText.plural(report.needed(), "more block"),
            Units.bytes(
                report.layers().stream()
                    .filter(layer -> layer.needed() > 0)
                    .findFirst()
                    .orElse(report.layers().getLast())
                    .manifest()
                    .shape()
                    .blockSize()),
            report.needed() == 1 ? "is" : "are");
  }

  /** Returns the failure for a set that has damage, all of which can be restored. */
  static Failure damaged(SetReport report, Path folder) {
    List<String> parts = new ArrayList<>();
    if (!report.files().isEmpty()) {
      parts.add(ShardText.plural(report.files().size(), "file"));
    }
    if (!report.volumes().isEmpty()) {
      parts.add(ShardText.plural(report.volumes().size(), "volume"));
    }
    int count = report.files().size() + report.volumes().size();
    return new Failure(
        "%s %s damaged or missing; 'fieldstone repair' restores all"
            .formatted(String.join(" and ", parts), count == 1 ? "is" : "are"),
        folder);
  }

  /** Returns the failure for a set that is still damaged although all was restored. */
  private static Failure stillDamaged(SetReport report, Path folder) {
    if (report.unrestorableParity() > 0) {
      return new Failure(
          "%s of parity cannot be made again, since files that it protects were deleted or changed;"
                  .formatted(Units.bytes(bytes(report, LayerReport::unrestorableParity)))
              + " 'fieldstone protect --update' protects the others again",
          folder);
    }
    for (Damage damage : parts(report)) {
      if (damage.unreadable().isPresent()) {
        return new Failure(
            "byte %d of %s cannot be read although it was restored: the disk is damaged; rename"
                    .formatted(damage.unreadable().getAsLong(), damage.name())
                + " this file, or copy all to another disk, and repair again",
            folder);
      }
    }
    return new Failure(
        parts(report).stream()
            .findFirst()
            .map(damage -> damage.name() + " is damaged again although it was restored")
            .orElse("the set is damaged again"),
        folder);
  }

  private static List<Damage> parts(SetReport report) {
    return Stream.concat(report.files().stream(), report.volumes().stream()).toList();
  }

  /** Returns the failure for a folder without the description of a set. */
  static Failure unreadable(UnreadableSetException e) {
    return e.isDamaged() ? Failure.notRestorable(e) : Failure.of(e);
  }

  /**
   * Returns the failure for a set that is not intact after a repair, or cannot be repaired.
   *
   * @param isPartial whether what can be restored has been
   */
  static Failure notRestorable(SetReport report, Path folder, boolean isPartial) {
    long files =
        report.files().stream()
            .filter(damage -> damage.unrestorable() > 0 && damage.problem().isEmpty())
            .count();
    if (files > 0) {
      return Failure.notRestorable(
          "%s lost bytes for good, %s%s"
              .formatted(
                  ShardText.plural(files, "file"),
                  neededBytes(report),
                  isPartial ? "" : "; 'fieldstone repair --partial' restores the rest"),
          folder);
    }
    if (!report.missing().isEmpty()
        && report.layers().stream().allMatch(LayerReport::isRestorable)) {
      return Failure.notRestorable(missing(report.missing().getFirst()), folder);
    }
    return parts(report).stream()
        .filter(damage -> !damage.problem().isEmpty())
        .findFirst()
        .map(damage ->
            new Failure(
                "%s cannot be repaired: %s".formatted(damage.name(), damage.problem()), folder))
        .orElseGet(() -> stillDamaged(report, folder));
  }

  /** Returns the failure for a base that has none of the files. */
  static Failure noFiles(NoFilesException e) {
    return e.parent()
        .map(parent ->
            new Failure(
                "is inside the folder that the paths of the files start from; give --base "
                    + ShellWord.of(parent),
                e.base()))
        .orElseGet(() ->
            new Failure(
                "has none of the files; name their folder with --base, or this one if all are lost",
                e.base()));
  }
}
