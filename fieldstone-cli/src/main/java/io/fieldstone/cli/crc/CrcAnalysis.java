package io.fieldstone.cli.crc;

import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.cli.console.ChartFile;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.detection.HammingProfile;
import io.fieldstone.crc.detection.UndetectedErrors;
import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Polynomial;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs {@code crc --analyse}: prints which errors a CRC detects. */
final class CrcAnalysis {

  private static final String CSV = ".csv";
  private static final int MAX_DISTANCE = 16;

  /** The sums that are compared for a distance: some seconds. */
  private static final long MAX_WORK = 1L << 32;

  /** How far beyond the Hamming distance A_k is printed, in wrong bits. */
  private static final int MORE_WEIGHTS = 4;

  private static final List<Double> BIT_ERRORS = List.of(1e-3, 1e-4, 1e-5, 1e-6);
  private static final int POINTS = 49;
  private static final double FIRST_BIT_ERROR = 1e-7;
  private static final double LAST_BIT_ERROR = 0.5;

  private final Session session;
  private final CrcModel model;
  private final CrcNotation notation;

  /**
   * @param notation that of the polynomial on the command line
   */
  CrcAnalysis(Session session, CrcModel model, CrcNotation notation) {
    this.session = session;
    this.model = model;
    this.notation = notation;
  }

  private record Factor(String polynomial, int degree, int multiplicity) {}

  private record Weight(int bits, BigInteger count) {}

  private record Undetected(double bitError, double probability) {}

  /** The result as {@code --json} prints it. */
  private record Result(
      String algorithm,
      int width,
      String poly,
      String koopman,
      BigInteger order,
      List<Factor> factors,
      boolean detectsOddErrors,
      int detectedBurst,
      List<HammingProfile.Distance> distances,
      Optional<Long> length,
      Optional<Integer> distance,
      List<Weight> weights,
      List<Undetected> undetected,
      List<String> warnings) {}

  /** A curve to write: its file, in CSV or as a picture. */
  private static void requireCurve(Session session, Path file) throws IOException, Failure {
    if (InputFiles.hasEnding(file, CSV)) {
      InputFiles.requireOutputs(session.command(), List.of(), file);
    } else if (InputFiles.hasEnding(file, InputFiles.SVG)
        || InputFiles.hasEnding(file, InputFiles.PNG)) {
      ChartFile.requireDrawable(session.command(), "--curve", file);
      InputFiles.requireOutputs(session.command(), List.of(), file);
    } else {
      throw session.usage("--curve %s ends neither in .csv nor in .svg or .png".formatted(file));
    }
  }

  /**
   * Prints the analysis.
   *
   * @param length the bits of a message, if one length is asked for
   * @param bitErrors the probabilities of a wrong bit; empty for usual ones
   * @param curve the file of the curve, if one is asked for
   */
  void run(Optional<Long> length, List<Double> bitErrors, Optional<Path> curve)
      throws IOException, Failure {
    if (curve.isPresent()) {
      requireCurve(session, curve.get());
    }
    if (model.width() > HammingProfile.MAX_WIDTH) {
      throw new Failure(
          "a CRC of %d bits; Hamming distances are computed to %d"
              .formatted(model.width(), HammingProfile.MAX_WIDTH),
          model.name());
    }
    boolean hasWeights =
        length.isPresent() && UndetectedErrors.supports(model.width(), length.get());
    if (!hasWeights && (!bitErrors.isEmpty() || curve.isPresent())) {
      throw new Failure(
          "exact weights need a width of at most %d and at most %d bits"
              .formatted(UndetectedErrors.MAX_WIDTH, UndetectedErrors.MAX_BITS),
          model.name());
    }
    HammingProfile profile;
    Optional<UndetectedErrors> errors = Optional.empty();
    try (Progress.Steps steps = session.steps("analyse")) {
      profile =
          HammingProfile.of(
              model.poly(),
              MAX_DISTANCE,
              MAX_WORK,
              distance -> steps.begin("distance " + distance, distance - 3, MAX_DISTANCE));
      if (hasWeights) {
        steps.begin("weights", MAX_DISTANCE - 2, MAX_DISTANCE);
        try (Engine engine = session.openEngine()) {
          errors =
              Optional.of(UndetectedErrors.of(model.poly(), Math.toIntExact(length.get()), engine));
        }
      }
    }
    if (curve.isPresent() && errors.isPresent()) {
      writeCurve(curve.get(), errors.get());
    }
    Result result = result(profile, length, errors, bitErrors.isEmpty() ? BIT_ERRORS : bitErrors);
    result.warnings().forEach(session::warn);
    session.printResult(result, () -> text(result));
  }

  private Result result(
      HammingProfile profile,
      Optional<Long> length,
      Optional<UndetectedErrors> errors,
      List<Double> bitErrors) {
    Gf2Polynomial polynomial =
        Gf2Polynomial.of(model.poly().low()).add(Gf2Polynomial.xToThe(model.width()));
    BigInteger order = polynomial.order();
    List<Weight> weights = new ArrayList<>();
    if (errors.isPresent()) {
      int last = Math.min(errors.get().distance() + MORE_WEIGHTS, errors.get().length());
      List<BigInteger> counts = errors.get().counts(last);
      for (int k = 1; k < counts.size(); k++) {
        if (counts.get(k).signum() != 0) {
          weights.add(new Weight(k, counts.get(k)));
        }
      }
    }
    return new Result(
        model.name(),
        model.width(),
        model.poly().toString(),
        CrcNotation.KOOPMAN.of(model.poly()).toString(),
        order,
        polynomial.factors().stream()
            .map(each ->
                new Factor(
                    each.polynomial().toString(), each.polynomial().degree(), each.multiplicity()))
            .toList(),
        polynomial.terms() % 2 == 0,
        model.width(),
        profile.distances(),
        length,
        errors
            .map(UndetectedErrors::distance)
            .or(() -> length.map(bits -> distance(profile, bits))),
        weights,
        errors
            .map(each ->
                bitErrors.stream().map(p -> new Undetected(p, each.probability(p))).toList())
            .orElse(List.of()),
        warnings(length, order));
  }

  /** Returns the distance of messages, as far as it is known. */
  private static int distance(HammingProfile profile, long bits) {
    return profile.distances().stream()
        .filter(each -> each.maxBits() >= bits)
        .mapToInt(HammingProfile.Distance::distance)
        .max()
        .orElse(2);
  }

  private List<String> warnings(Optional<Long> length, BigInteger order) {
    List<String> warnings = new ArrayList<>();
    CrcValue digits = notation.of(model.poly());
    for (CrcNotation other : CrcNotation.values()) {
      if (other != notation) {
        known(digits, other)
            .ifPresent(known ->
                warnings.add(
                    "0x%s in %s notation is the polynomial of %s, 0x%s in normal notation"
                        .formatted(digits, other, known.name(), known.poly())));
      }
    }
    BigInteger longest = order.subtract(BigInteger.valueOf(model.width()));
    if (length.isPresent() && BigInteger.valueOf(length.get()).compareTo(longest) > 0) {
      warnings.add(
          "%d bits are more than %s: two wrong bits at a distance of the order %s are not detected"
              .formatted(length.get(), longest, order));
    }
    return warnings;
  }

  /** Returns the model of the catalogue whose polynomial some digits are in another notation. */
  private Optional<CrcModel> known(CrcValue digits, CrcNotation other) {
    CrcValue read;
    try {
      read = other.toNormal(digits);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return CrcCatalogue.entries().stream()
        .map(CrcCatalogue.Entry::model)
        .filter(each -> each.poly().equals(read) && !read.equals(model.poly()))
        .findFirst()
        // A number that is a known polynomial as it is written is not a mistake.
        .filter(_ ->
            CrcCatalogue.entries().stream()
                .noneMatch(entry -> entry.model().poly().equals(model.poly())));
  }

  private static String text(Result result) {
    TextTable head = new TextTable().text("").text("");
    head.row("algorithm", result.algorithm());
    head.row("polynomial", "0x%s, koopman 0x%s".formatted(result.poly(), result.koopman()));
    head.row(
        "factors",
        result.factors().stream()
            .map(each ->
                "(%s)%s"
                    .formatted(
                        each.polynomial(),
                        each.multiplicity() == 1 ? "" : "^" + each.multiplicity()))
            .collect(Collectors.joining(" ")));
    head.row("order", result.order());
    head.row(
        "odd errors", result.detectsOddErrors() ? "all detected" : "not all of them are detected");
    head.row(
        "bursts",
        "all up to %d bits; 2^-%d of those of %d bits are missed, 2^-%d of longer ones"
            .formatted(
                result.detectedBurst(),
                result.detectedBurst() - 1,
                result.detectedBurst() + 1,
                result.detectedBurst()));
    TextTable distances = new TextTable().number("HD").number("to bits").text("");
    for (HammingProfile.Distance each : result.distances()) {
      distances.row(each.distance(), Units.count(each.maxBits()), each.isExact() ? "" : "at least");
    }
    StringBuilder text = new StringBuilder().append(head).append('\n').append(distances);
    if (result.length().isPresent() && result.distance().isPresent()) {
      text.append(
          "\n%s bits: HD %s%d\n"
              .formatted(
                  Units.count(result.length().get()),
                  result.weights().isEmpty() ? "≥ " : "",
                  result.distance().get()));
    }
    if (!result.weights().isEmpty()) {
      TextTable weights = new TextTable().number("wrong bits").number("undetected");
      result.weights().forEach(each -> weights.row(each.bits(), each.count()));
      TextTable undetected = new TextTable().number("bit error").number("P undetected");
      result
          .undetected()
          .forEach(each ->
              undetected.row(
                  new BigDecimal(String.valueOf(each.bitError()))
                      .stripTrailingZeros()
                      .toPlainString(),
                  String.format(Locale.ROOT, "%.4g", each.probability())));
      text.append(weights).append('\n').append(undetected);
    }
    return text.toString();
  }

  private void writeCurve(Path file, UndetectedErrors errors) throws IOException, Failure {
    List<Double> bitErrors =
        IntStream.range(0, POINTS)
            .mapToObj(i ->
                FIRST_BIT_ERROR
                    * Math.pow(LAST_BIT_ERROR / FIRST_BIT_ERROR, (double) i / (POINTS - 1)))
            .map(p -> Math.min(p, LAST_BIT_ERROR))
            .toList();
    if (InputFiles.hasEnding(file, CSV)) {
      StringBuilder csv = new StringBuilder("bit_error,undetected\n");
      bitErrors.forEach(p -> csv.append(p).append(',').append(errors.probability(p)).append('\n'));
      OutputText.write(file, csv.toString());
      return;
    }
    SeriesBuilder series = new SeriesBuilder();
    bitErrors.forEach(p -> series.add(p, errors.probability(p)));
    ChartFile.write(
        file,
        List.of(
            new Chart.Lines(
                "undetected",
                "Undetected errors of %s, %d bits with the checksum"
                    .formatted(model.name(), errors.length()),
                "probability of a wrong bit",
                "probability of an undetected error",
                List.of(series.series(model.name(), false)))));
  }
}
