package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code crc} that ask which CRC made samples. */
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
      arity = "1",
      description =
          "With --find: the columns of a CSV file, or the one of frames (default: message or data,"
              + " and checksum or crc).")
  private List<String> columns = List.of();

  /** Tests whether a question is asked. */
  boolean isAsked() {
    return isFind;
  }

  /** Checks options that need a question. */
  void check(Session session) {
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
   * @param files the arguments of the command
   */
  void answer(Session session, CrcOptions algorithm, List<Path> files) throws IOException, Failure {
    new CrcFind(
            session,
            algorithm.isDefault() ? Optional.empty() : Optional.of(algorithm.model()),
            columns)
        .run(files);
  }
}
