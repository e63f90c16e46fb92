package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.Session;
import io.fieldstone.crc.CrcModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code crc} that ask which CRC made samples, and how good a CRC is. */
final class CrcQuestions {

  @Option(
      names = "--find",
      description =
          "Print the CRC that made samples: lines of a message and its checksum, or of a frame with"
              + " its checksum inside, in hexadecimal; @FILE is a message of bytes. SAMPLES may be"
              + " a CSV file, or several binary files. -a or the options of a CRC give its"
              + " polynomial and reflections, so that the rest is found.")
  private boolean isFind;

  @Option(
      names = "--columns",
      paramLabel = "MESSAGE,CHECKSUM",
      split = ",",
      hideParamSyntax = true,
      arity = "1",
      description =
          "With --find: the columns of a CSV file, or the one of frames (default: message or data,"
              + " and checksum or crc).")
  private List<String> columns = List.of();

  @Option(
      names = "--analyse",
      description =
          "Print which errors a CRC detects: Hamming distances by the length of messages, order,"
              + " factors and bursts. The CRC is an ALGORITHM, or given by its parameters.")
  private boolean isAnalyse;

  @Option(
      names = "--bit-error",
      paramLabel = "P",
      split = ",",
      arity = "1",
      converter = Converters.Decimal.class,
      description =
          "With --analyse --length: the probabilities of a wrong bit (default: 0.001, 0.0001,"
              + " 0.00001, 0.000001).")
  private List<Double> bitErrors = List.of();

  @Option(
      names = "--curve",
      paramLabel = "FILE",
      description =
          "With --analyse --length: write the probability of an undetected error by that of a wrong"
              + " bit to FILE, as CSV, SVG or PNG by its extension.")
  private @Nullable Path curve;

  /** Tests whether a question is asked. */
  boolean isAsked() {
    return isFind || isAnalyse;
  }

  boolean isAnalyse() {
    return isAnalyse;
  }

  /**
   * Checks options that need a question.
   *
   * @param length the value of {@code --length}
   */
  void check(Session session, @Nullable Long length) {
    if (isFind && isAnalyse) {
      throw session.usage("--find and --analyse exclude each other");
    }
    if (isAnalyse && length != null && length < 1) {
      throw session.usage("--length " + length + " is less than 1");
    }
    if ((length == null || !isAnalyse) && (!bitErrors.isEmpty() || curve != null)) {
      throw session.usage("--bit-error and --curve need --analyse and --length");
    }
    for (double each : bitErrors) {
      if (!(each > 0 && each <= 0.5)) {
        throw session.usage("--bit-error %s is not in 0…0.5, without 0".formatted(each));
      }
    }
    if (!columns.isEmpty() && !isFind) {
      throw session.usage("--columns needs --find");
    }
    if (columns.size() > 2) {
      throw session.usage("--columns takes 1 or 2 names, not " + columns.size());
    }
  }

  /**
   * Answers the question.
   *
   * @param arguments samples, or the name of a CRC
   * @param length the value of {@code --length}
   */
  void answer(Session session, CrcOptions algorithm, List<String> arguments, @Nullable Long length)
      throws IOException, Failure {
    if (isAnalyse) {
      new CrcAnalysis(session, analysed(session, algorithm, arguments), algorithm.notation())
          .run(Optional.ofNullable(length), bitErrors, Optional.ofNullable(curve));
      return;
    }
    List<Path> files =
        arguments.isEmpty()
            ? List.of(Path.of("-"))
            : arguments.stream().map(name -> FileNames.of(session.command(), name)).toList();
    new CrcFind(
            session,
            algorithm.isDefault() ? Optional.empty() : Optional.of(algorithm.model()),
            columns)
        .run(files);
  }

  private static CrcModel analysed(Session session, CrcOptions algorithm, List<String> arguments) {
    if (arguments.size() > 1 || !arguments.isEmpty() && !algorithm.isDefault()) {
      throw session.usage("--analyse takes one ALGORITHM, or the options of a CRC");
    }
    return arguments.isEmpty() ? algorithm.model() : algorithm.named(arguments.getFirst());
  }
}
