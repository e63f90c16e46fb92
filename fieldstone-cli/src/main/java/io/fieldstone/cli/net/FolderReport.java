package io.fieldstone.cli.net;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.fetch.FolderResult;
import io.fieldstone.net.fetch.ListedObject;
import io.fieldstone.stream.file.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ExitCode;

/** Prints lists of files of servers, and results of fetches. */
final class FolderReport {

  /** The names of a line, and the files that have a line of their own. */
  private static final int MAX_NAMES = 3;

  private static final int MAX_LINES = 20;

  /** The digits of an id in a list; 8 are enough to fetch by it. */
  private static final int ID_DIGITS = 16;

  private FolderReport() {}

  /**
   * The files of servers, as {@code --json} prints them.
   *
   * @param files in the order of their names
   */
  record Listing(List<File> files) {

    /** A file of servers. */
    record File(String name, long bytes, String id, List<String> servers) {}

    static Listing of(List<ListedObject> listed) {
      return new Listing(
          listed.stream()
              .map(each ->
                  new File(each.name(), each.length(), each.id().toString(), each.servers()))
              .toList());
    }

    String text(int servers) {
      TextTable table = new TextTable().number("size").text("id").text("name");
      if (servers > 1) {
        table.number("servers");
      }
      for (File file : files) {
        List<Object> cells =
            new ArrayList<>(
                List.of(Units.bytes(file.bytes), file.id.substring(0, ID_DIGITS), file.name));
        if (servers > 1) {
          cells.add(file.servers.size());
        }
        table.row(cells.toArray());
      }
      long bytes = files.stream().mapToLong(File::bytes).sum();
      return table
          + "%s, %s\n".formatted(ShardText.plural(files.size(), "file"), Units.bytes(bytes));
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String folder,
      int files,
      int unchangedFiles,
      long bytes,
      long fetchedBytes,
      double seconds,
      double megabytesPerSecond,
      List<FolderResult.Failure> failures,
      List<String> added,
      List<String> changed,
      List<String> removed,
      List<SourceResult> sources) {}

  /**
   * Prints the result of a fetch, its warnings and the files that failed.
   *
   * @return the exit status
   * @throws Failure if files could not be fetched
   */
  static int print(Session session, FolderResult result, Path folder) throws Failure {
    warnOfSources(session, result.sources());
    if (result.hasChanged()) {
      session.warn(changes(result));
    }
    List<FolderResult.Failure> failures = result.failures();
    failures.stream()
        .limit(MAX_LINES)
        .forEach(each -> session.warn(each.name() + ": " + each.problem()));
    session.print(json(result, folder), () -> text(result, folder, session.isVerbose()));
    if (failures.isEmpty()) {
      return ExitCode.OK;
    }
    throw new Failure(
        "%s could not be fetched; the others are complete"
            .formatted(ShardText.plural(failures.size(), "file")),
        folder);
  }

  /** Prints the problems of servers that were not printed during the fetch. */
  static void warnOfSources(Session session, List<FetchResult.Source> sources) {
    for (FetchResult.Source source : sources) {
      if (!source.problem().isEmpty() && !source.isBanned() && !source.isReported()) {
        session.warn(source.server() + ": " + source.problem());
      }
    }
  }

  private static String changes(FolderResult result) {
    List<String> parts = new ArrayList<>();
    add(parts, "new", result.added());
    add(parts, "changed", result.changed());
    add(parts, "gone", result.removed());
    return "the servers' files changed during the fetch: %s%s"
        .formatted(
            String.join("; ", parts),
            result.added().isEmpty() ? "" : "; the same command fetches the new ones");
  }

  private static void add(List<String> parts, String what, List<String> names) {
    if (!names.isEmpty()) {
      String shown = String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())));
      parts.add(
          "%d %s (%s%s)"
              .formatted(names.size(), what, shown, names.size() > MAX_NAMES ? ", …" : ""));
    }
  }

  private static Result json(FolderResult result, Path folder) {
    return new Result(
        folder.toString(),
        result.files(),
        result.unchanged(),
        result.bytes(),
        result.fetchedBytes(),
        result.nanos() / 1e9,
        Units.megabytes(result.fetchedBytes(), result.nanos()),
        result.failures(),
        result.added(),
        result.changed(),
        result.removed(),
        result.sources().stream().map(SourceResult::of).toList());
  }

  private static String text(FolderResult result, Path folder, boolean isVerbose) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %s, %s, verified\n"
            .formatted(
                Printable.line(folder),
                ShardText.plural(result.files(), "file"),
                Units.bytes(result.bytes())));
    if (result.unchanged() > 0) {
      text.append(
          "%s there already, equal\n"
              .formatted(
                  result.unchanged() == result.files()
                      ? "all were"
                      : result.unchanged()
                          + " of them "
                          + (result.unchanged() == 1 ? "was" : "were")));
    }
    text.append(
        "%s, %s\n"
            .formatted(
                Units.duration(result.nanos()), Units.rate(result.fetchedBytes(), result.nanos())));
    appendSources(text, result.sources(), isVerbose);
    return text.toString();
  }

  /** Appends a line for each server: its share of what was fetched, and why it was banned. */
  static void appendSources(
      StringBuilder text, List<FetchResult.Source> sources, boolean isVerbose) {
    long all = sources.stream().mapToLong(FetchResult.Source::blocks).sum();
    for (FetchResult.Source source : sources) {
      text.append(
          "%s: %s%s %%%s\n"
              .formatted(
                  source.server(),
                  isVerbose ? ShardText.plural(source.blocks(), "block") + ", " : "",
                  Units.percent(all == 0 ? 0 : (double) source.blocks() / all),
                  source.isBanned() ? ", banned: it " + source.problem() : ""));
    }
  }
}
