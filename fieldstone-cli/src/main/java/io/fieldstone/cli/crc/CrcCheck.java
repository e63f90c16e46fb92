package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.FileHash;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the files in lists of checksums, and prints the results as {@code sha256sum -c} does. */
final class CrcCheck {

  private final Session session;
  private final boolean ignoreMissing;
  private final boolean isSilent;
  private final boolean isStrict;
  private final boolean warns;
  private final boolean isRelative;
  private final boolean isBase64;
  private final Predicate<Path> isSfv;
  private final ListedFiles listed = new ListedFiles();

  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Line> mismatching = new ArrayList<>();
  private final List<String> failedLists = new ArrayList<>();
  private long malformed;

  /**
   * A line of a list.
   *
   * @param file the file that it names
   * @param isGuided whether the algorithm comes from the command, and may be another
   */
  private record Line(CrcLine text, Path file, boolean isGuided) {
    CrcModel model() {
      return text.model();
    }
  }

  /** The result of a line as {@code --json} prints it. */
  private record Outcome(String file, String expected, Optional<String> actual, boolean isOk) {}

  /** The result as {@code --json} prints it. */
  private record Result(
      List<Outcome> files, long mismatches, long unreadable, long malformedLines) {}

  /**
   * Makes a check.
   *
   * @param ignoreMissing whether missing files are skipped
   * @param isSilent whether only errors of the lists themselves are printed
   * @param isStrict whether a malformed line fails the check
   * @param warns whether each malformed line is printed
   * @param isRelative whether names are relative to the folders of their lists
   * @param isBase64 whether the checksums are in base64
   * @param isSfv whether a list is an SFV list
   */
  CrcCheck(
      Session session,
      boolean ignoreMissing,
      boolean isSilent,
      boolean isStrict,
      boolean warns,
      boolean isRelative,
      boolean isBase64,
      Predicate<Path> isSfv) {
    this.session = session;
    this.ignoreMissing = ignoreMissing;
    this.isSilent = isSilent;
    this.isStrict = isStrict;
    this.warns = warns;
    this.isRelative = isRelative;
    this.isBase64 = isBase64;
    this.isSfv = isSfv;
  }

  /**
   * Checks all files in the lists.
   *
   * @param untagged the algorithm of lines that do not name one
   * @throws Failure if a checksum differs, or a list or file cannot be read
   */
  void run(List<Path> lists, CrcModel untagged, @Nullable String method)
      throws ClosedByInterruptException, InterruptedException, Failure {
    List<Line> lines = new ArrayList<>();
    for (Path list : lists) {
      try {
        read(list, untagged, lines);
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException | Failure e) {
        String problem = ErrorLine.of(e);
        failedLists.add(problem);
        session.streams().err().println(ErrorLine.failure(problem));
      }
    }
    try (CrcFiles files = new CrcFiles(session, method)) {
      for (int from = 0; from < lines.size(); ) {
        int to = endOfModel(lines, from);
        hash(files, lines.subList(from, to));
        from = to;
      }
    }
    report();
  }

  private void read(Path list, CrcModel untagged, List<Line> lines) throws IOException, Failure {
    int previousLines = lines.size();
    long previousMalformed = malformed;
    String text =
        ListText.decode(TextInput.bytes(session, list), session.streams().out().charset());
    parse(list, untagged, text, lines);
    if (lines.size() == previousLines) {
      malformed = previousMalformed; // the list as a whole is reported
      CrcIdentification other = new CrcIdentification();
      other.addLines(text, listed, base(list));
      List<CrcModel> models = other.models();
      throw new Failure(
          models.isEmpty()
              ? "no properly formatted checksum lines found"
              : "its checksums are those of %s".formatted(advice(models)),
          TextInput.name(list));
    }
  }

  /** Returns the folder that names of a list are relative to, if not the working directory. */
  private Optional<Path> base(Path list) {
    return isRelative && !InputFiles.isStandardStream(list)
        ? Optional.ofNullable(list.toAbsolutePath().getParent())
        : Optional.empty();
  }

  /** Returns which options select the algorithms. */
  private static String advice(List<CrcModel> models) {
    return models.stream()
        .map(model -> "%s: check it with -a %s".formatted(model.name(), model.name()))
        .collect(Collectors.joining(", or of "));
  }

  /**
   * Parses lines that end with a line feed, optionally preceded by a carriage return. Undecodable
   * bytes yield names of missing files, which are reported.
   */
  private void parse(Path list, CrcModel untagged, String all, List<Line> lines) {
    boolean inSfv = isSfv.test(list);
    CrcModel model = inSfv ? CrcOptions.crc32() : untagged;
    String comment = inSfv ? CrcLine.SFV_COMMENT : "#";
    CrcLineReader reader = new CrcLineReader(model);
    Optional<Path> base = base(list);
    long number = 0;
    for (String ended : all.split("\n", -1)) {
      String line = ended.endsWith("\r") ? ended.substring(0, ended.length() - 1) : ended;
      number++;
      if (line.isEmpty() || line.startsWith(comment)) {
        continue;
      }
      Optional<CrcLine> parsed =
          inSfv
              ? CrcLine.parseSfv(line, model)
              : isBase64 ? CrcLine.parseBase64(line, model) : reader.read(line);
      boolean isGuided = !inSfv && !isBase64 && CrcLine.parseTagged(line, model).isEmpty();
      parsed.ifPresent(
          found -> lines.add(new Line(found, listed.find(found.path(), base), isGuided)));
      if (parsed.isEmpty()) {
        malformed++;
        if (warns && !isSilent) {
          session.warn(
              TextInput.name(list) + ": " + number + ": not a checksum line of " + model.name());
        }
      }
    }
  }

  private static int endOfModel(List<Line> lines, int from) {
    int to = from;
    while (to < lines.size() && lines.get(to).model().equals(lines.get(from).model())) {
      to++;
    }
    return to;
  }

  private void hash(CrcFiles files, List<Line> lines) throws InterruptedException {
    Iterator<Line> next = lines.iterator();
    files.hash(
        lines.getFirst().model(),
        lines.stream().map(Line::file).toList(),
        hash -> compare(files, next.next(), hash));
  }

  private void compare(CrcFiles files, Line checked, FileHash hash) {
    CrcLine line = checked.text();
    String name = line.path().toString();
    String expected = line.checksum().toString();
    switch (hash) {
      case FileHash.Hashed hashed -> {
        boolean isOk = hashed.checksum().equals(line.checksum());
        outcomes.add(new Outcome(name, expected, Optional.of(hashed.checksum().toString()), isOk));
        if (!isOk && checked.isGuided()) {
          mismatching.add(checked);
        }
        if (!isOk || !session.isQuiet()) {
          print(files, line.shownName() + (isOk ? ": OK" : ": FAILED"));
        }
      }
      case FileHash.Unreadable unreadable -> {
        if (ignoreMissing && unreadable.cause() instanceof NoSuchFileException) {
          return;
        }
        outcomes.add(new Outcome(name, expected, Optional.empty(), false));
        if (!isSilent) {
          files.explain(unreadable);
        }
        print(files, line.shownName() + ": FAILED open or read");
      }
    }
  }

  private void print(CrcFiles files, String line) {
    if (!isSilent && !session.isJson()) {
      files.println(line);
    }
  }

  private void report() throws Failure {
    long unreadable = outcomes.stream().filter(outcome -> outcome.actual().isEmpty()).count();
    long mismatches = outcomes.stream().filter(outcome -> !outcome.isOk()).count() - unreadable;
    session.print(new Result(List.copyOf(outcomes), mismatches, unreadable, malformed), () -> "");
    if (!isSilent) {
      session.streams().out().flush();
      warn(malformed, "line is improperly formatted", "lines are improperly formatted");
      warn(unreadable, "listed file could not be read", "listed files could not be read");
      advise();
      warn(mismatches, "computed checksum did NOT match", "computed checksums did NOT match");
    }
    if (!failedLists.isEmpty()) {
      throw Failure.reported(
          "%d lists could not be checked, the first one".formatted(failedLists.size()),
          failedLists.getFirst());
    }
    if (ignoreMissing && outcomes.isEmpty()) {
      throw new Failure("no file was verified", "the lists");
    }
    if (unreadable + mismatches > 0 || (isStrict && malformed > 0)) {
      throw Failure.reported(
          "%d of %d checksums differ".formatted(mismatches, outcomes.size()),
          "%d files unreadable, %d lines malformed".formatted(unreadable, malformed));
    }
  }

  /** Says which algorithm the list has, if no file has a checksum of the selected one. */
  private void advise() {
    if (mismatching.isEmpty() || outcomes.stream().anyMatch(Outcome::isOk)) {
      return;
    }
    CrcIdentification other = new CrcIdentification();
    mismatching.forEach(line -> other.add(line.text().checksum().toString(), line.file()));
    List<CrcModel> models = other.models();
    if (!models.isEmpty()) {
      session.warn("the checksums are those of %s".formatted(advice(models)));
    }
  }

  /** Prints a line as GNU's tools do. */
  private void warn(long count, String singular, String plural) {
    if (count > 0) {
      String message = "WARNING: " + count + " " + (count == 1 ? singular : plural);
      session.streams().err().println(ErrorLine.failure(message));
    }
  }
}
