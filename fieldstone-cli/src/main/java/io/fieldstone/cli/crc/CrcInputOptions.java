package io.fieldstone.cli.crc;

import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code crc} on messages of the command line, and on the names in lists. */
final class CrcInputOptions {

  @Option(
      names = "--hex",
      paramLabel = "BYTES",
      description =
          "Print the CRC of bytes in hexadecimal, such as '01 03 00 0a', instead of that of files;"
              + " may be repeated.")
  private List<String> hex = List.of();

  @Option(
      names = "--string",
      paramLabel = "TEXT",
      description = "Print the CRC of a text in UTF-8 instead of that of files; may be repeated.")
  private List<String> text = List.of();

  @Option(
      names = "--relative",
      description =
          "Names in lists are relative to the folder of their list: with --check, and with -o"
              + " LIST.")
  private boolean isRelative;

  List<String> hex() {
    return hex;
  }

  List<String> text() {
    return text;
  }

  boolean isRelative() {
    return isRelative;
  }

  boolean hasMessages() {
    return !hex.isEmpty() || !text.isEmpty();
  }
}
