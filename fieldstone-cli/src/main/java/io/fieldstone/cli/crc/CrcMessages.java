package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Session;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcModel;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Prints the CRCs of messages that are given on the command line. */
final class CrcMessages {

  private CrcMessages() {}

  /** A message as it is shown. */
  private record Message(String shown, MemorySegment content) {}

  /** The checksum of a message as {@code --json} prints it. */
  private record Checksum(String message, String algorithm, String crc, long bytes) {}

  /** The result as {@code --json} prints it. */
  private record Checksums(List<Checksum> messages) {}

  /**
   * Prints the checksum of each message by each algorithm, which lines name if there are several.
   */
  static void print(Session session, CrcInputOptions input, List<CrcModel> models, boolean tag) {
    List<Message> messages = new ArrayList<>();
    for (String text : input.hex()) {
      byte[] bytes = bytes(session, text);
      messages.add(
          new Message(HexFormat.ofDelimiter(" ").formatHex(bytes), MemorySegment.ofArray(bytes)));
    }
    for (String text : input.text()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      messages.add(new Message(text, MemorySegment.ofArray(bytes)));
    }
    List<Checksum> checksums = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    for (CrcModel model : models) {
      Crc crc = Crc.of(model);
      for (Message message : messages) {
        String value = crc.hash(message.content).toString();
        checksums.add(new Checksum(message.shown, model.name(), value, message.content.byteSize()));
        String shown = ErrorLine.oneLine(message.shown);
        lines.append(
            tag || models.size() > 1
                ? "%s (%s) = %s\n".formatted(model.name(), shown, value)
                : "%s  %s\n".formatted(value, shown));
      }
    }
    session.printResult(new Checksums(checksums), lines::toString);
  }

  /**
   * Parses bytes, of which blanks, colons, commas, hyphens and underscores separate some, and which
   * may begin with 0x.
   */
  static byte[] bytes(Session session, String text) {
    StringBuilder digits = new StringBuilder();
    for (String part : text.split("[\\s:,_-]+")) {
      String own = part.startsWith("0x") || part.startsWith("0X") ? part.substring(2) : part;
      digits.append(own.length() == 1 ? "0" : "").append(own);
    }
    for (int i = 0; i < digits.length(); i++) {
      if (Character.digit(digits.charAt(i), 16) < 0 || digits.charAt(i) > 'f') {
        throw session.usage(
            "--hex: '%c' in '%s' is no hexadecimal digit".formatted(digits.charAt(i), text));
      }
    }
    if (digits.length() % 2 != 0) {
      throw session.usage(
          "--hex: '%s' has %d digits, half a byte too many".formatted(text, digits.length()));
    }
    return HexFormat.of().parseHex(digits);
  }
}
