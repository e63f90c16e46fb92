package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.identification.CrcIdentifier;
import io.fieldstone.crc.identification.Finding;
import io.fieldstone.crc.identification.FoundModel;
import io.fieldstone.crc.identification.Sample;
import io.fieldstone.field.Gf2Matrix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs {@code crc --find}: reads samples, and prints the CRC that made them. */
final class CrcFind {

  private static final String CSV = ".csv";

  private final Session session;
  private final Optional<CrcModel> given;
  private final List<String> columns;

  /**
   * @param given the polynomial and the reflections, if they are known
   * @param columns the columns of CSV files; empty for usual names
   */
  CrcFind(Session session, Optional<CrcModel> given, List<String> columns) {
    this.session = session;
    this.given = given;
    this.columns = columns;
  }

  /** A model as {@code --json} prints it. */
  private record Model(
      int width,
      String poly,
      String init,
      boolean refin,
      boolean refout,
      String xorout,
      Optional<String> name,
      int from,
      int to,
      Optional<Integer> field,
      String byteOrder,
      int shift) {}

  /** The result as {@code --json} prints it. */
  private record Result(
      List<Model> models,
      List<Integer> outliers,
      boolean affine,
      boolean linear,
      int openBits,
      int equivalentBits,
      Optional<Integer> decidingBytes,
      Optional<Integer> evidenceBits,
      List<String> matrix,
      List<List<Integer>> contradiction) {}

  /** Prints what made the samples in some files. */
  void run(List<Path> files) throws IOException, Failure {
    List<Sample> samples = read(files);
    CrcIdentifier identifier = CrcIdentifier.create();
    Finding finding;
    try {
      finding = given.map(identifier::withPolynomialOf).orElse(identifier).identify(samples);
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), name(files));
    }
    switch (finding) {
      case Finding.Found found -> print(found, samples);
      case Finding.Affine affine ->
          session.printResult(result(true, rows(affine.matrix()), List.of()), () -> text(affine));
      case Finding.NotAffine not ->
          session.printResult(
              result(false, List.of(), List.of(not.first(), not.second())), () -> text(not));
      case Finding.Undecided undecided -> throw new Failure(undecided.reason(), name(files));
    }
  }

  private static String name(List<Path> files) {
    return TextInput.name(files.getFirst());
  }

  private static Result result(
      boolean isAffine, List<String> matrix, List<List<Integer>> contradiction) {
    return new Result(
        List.of(),
        List.of(),
        isAffine,
        isAffine,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        matrix,
        contradiction);
  }

  private List<Sample> read(List<Path> files) throws IOException, Failure {
    List<byte[]> contents = new ArrayList<>();
    for (Path file : files) {
      contents.add(TextInput.bytes(session, file));
    }
    if (files.size() == 1 && isText(contents.getFirst())) {
      String text = new String(contents.getFirst(), StandardCharsets.UTF_8);
      SampleText.Files messages = name -> TextInput.bytes(session, Path.of(name));
      return InputFiles.hasEnding(files.getFirst(), CSV)
          ? SampleText.parseCsv(name(files), text, columns, messages)
          : SampleText.parse(name(files), text, messages);
    }
    if (files.size() == 1) {
      throw new Failure(
          "one binary frame; give several files, or a list of lines '@FILE CHECKSUM'", name(files));
    }
    return IntStream.range(0, files.size())
        .mapToObj(i -> Sample.frame(i + 1, contents.get(i)))
        .toList();
  }

  /** Tests whether bytes have no control characters but blanks and line ends. */
  private static boolean isText(byte[] bytes) {
    for (byte each : bytes) {
      if (each >= 0 && each < ' ' && each != '\t' && each != '\n' && each != '\r') {
        return false;
      }
    }
    return true;
  }

  private void print(Finding.Found found, List<Sample> samples) {
    FoundModel best = found.best();
    Result result =
        new Result(
            found.models().stream().flatMap(each -> models(each, samples)).toList(),
            found.outliers(),
            true,
            true,
            best.openBits(),
            best.equivalentBits(),
            best.decidingBytes(),
            Optional.of(best.evidenceBits()),
            List.of(),
            List.of());
    session.printResult(result, () -> text(found, samples));
    if (!best.isCertain()) {
      session.warn(
          "a random function passes with a probability of about 2^%d: %d more samples make it certain"
              .formatted(Math.min(0, -best.evidenceBits()), best.missing()));
    }
    if (found.models().size() > 1) {
      session.warn(
          "%d models explain the samples; a further sample decides"
              .formatted(found.models().size()));
    }
  }

  private static Stream<Model> models(FoundModel found, List<Sample> samples) {
    return Stream.concat(Stream.of(found.model()), found.others().stream())
        .map(model ->
            new Model(
                model.width(),
                model.poly().toString(),
                model.init().toString(),
                model.refin(),
                model.refout(),
                model.xorout().toString(),
                nameOf(model),
                found.from(),
                to(found, samples),
                found.field().map(field -> offset(field, samples)),
                found.isLittleEndian() ? "little" : "big",
                found.shift()));
  }

  private static Optional<String> nameOf(CrcModel model) {
    return model.name().endsWith("/custom") ? Optional.empty() : Optional.of(model.name());
  }

  /** Returns the offset of the last covered byte, from the end if the lengths differ. */
  private static int to(FoundModel found, List<Sample> samples) {
    return offset(-1 - found.behind(), samples);
  }

  /** Returns an offset from the start, if all samples have the same length. */
  private static int offset(int offset, List<Sample> samples) {
    int length = samples.getFirst().length();
    boolean isFixed = samples.stream().allMatch(each -> each.length() == length);
    return offset < 0 && isFixed ? length + offset : offset;
  }

  private static String text(Finding.Found found, List<Sample> samples) {
    StringBuilder text = new StringBuilder(text(found.best(), samples, found.outliers()));
    for (FoundModel other : found.models().subList(1, found.models().size())) {
      text.append('\n').append(text(other, samples, List.of()));
    }
    return text.toString();
  }

  private static String text(FoundModel found, List<Sample> samples, List<Integer> outliers) {
    TextTable table = new TextTable().text("").text("");
    table.row("model", parameters(found.model()));
    Optional<String> name = nameOf(found.model());
    if (name.isPresent()) {
      table.row("name", name.get());
    } else if (!found.namesOfPoly().isEmpty()) {
      table.row("polynomial", "that of " + String.join(", ", found.namesOfPoly()));
    }
    int from = found.from();
    int behind = found.behind();
    if (found.field().isPresent() || from > 0 || behind > 0) {
      table.row("covers", "bytes %s to %s".formatted(from, place(to(found, samples))));
    }
    String order =
        found.model().width() <= Byte.SIZE
            ? ""
            : found.isLittleEndian()
                ? "least significant byte first"
                : "most significant byte first";
    if (found.field().isPresent()) {
      int field = offset(found.field().get(), samples);
      table.row(
          "checksum", "at byte %s%s".formatted(place(field), order.isEmpty() ? "" : ", " + order));
    } else if (found.isLittleEndian()) {
      table.row("checksum", order);
    }
    if (found.shift() > 0) {
      table.row(
          "shift", "the CRC is %d bits above the last of the checksum".formatted(found.shift()));
    }
    for (CrcModel other : found.others()) {
      table.row("or", "init=0x%s xorout=0x%s".formatted(other.init(), other.xorout()));
    }
    // %s, since a first number of a format takes milliseconds.
    if (found.openBits() > 0) {
      table.row(
          "class",
          "2^%s pairs of init and xorout%s"
              .formatted(
                  found.openBits() + found.equivalentBits(),
                  found
                      .decidingBytes()
                      .map(bytes ->
                          "; a message of %s byte%s decides"
                              .formatted(bytes, bytes == 1 ? "" : "s"))
                      .orElse("")));
    } else if (found.equivalentBits() > 0) {
      table.row(
          "class",
          "2^%s pairs of init and xorout, equal for all messages"
              .formatted(found.equivalentBits()));
    }
    if (!outliers.isEmpty()) {
      table.row("outliers", lines(outliers) + ": not of this CRC");
    }
    return table.toString();
  }

  private static String place(int offset) {
    return offset < 0 ? "%d from the end".formatted(-offset) : String.valueOf(offset);
  }

  private static String parameters(CrcModel model) {
    return "width="
        + model.width()
        + " poly=0x"
        + model.poly()
        + " init=0x"
        + model.init()
        + " refin="
        + model.refin()
        + " refout="
        + model.refout()
        + " xorout=0x"
        + model.xorout();
  }

  private static String lines(List<Integer> numbers) {
    return (numbers.size() == 1 ? "line " : "lines ")
        + numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static List<String> rows(Gf2Matrix matrix) {
    return matrix.toString().lines().skip(1).toList();
  }

  private static String text(Finding.Affine affine) {
    return """
    affine over GF(2), but no CRC: checksum = M · message + constant
    %s%d samples confirm it beyond those that decide it. A row is a bit of the checksum; the last column is
    the constant.
    %s
    """
        .formatted(
            affine.isComplete() ? "" : "The samples do not decide columns of zeros. ",
            affine.confirmations(),
            String.join("\n", rows(affine.matrix())));
  }

  private static String text(Finding.NotAffine not) {
    return """
    not linear over GF(2), so no CRC
    The messages of %s and of %s have the same sum (XOR), but their checksums have not.
    """
        .formatted(lines(not.first()), lines(not.second()));
  }
}
