package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The attribute {@code fec-repair-flow} of SDP: a flow of repair packets of any FEC scheme.
 *
 * <p>Immutable and thread-safe. Source: RFC 6364, section 4.5.
 *
 * @param encodingId the FEC Encoding ID, 0 … 255
 * @param preferenceLevel {@code preference-lvl}: receivers are to use flows of lower levels first
 * @param senderInformation {@code ss-fssi}, what only the sender needs; empty if absent
 * @param information {@code fssi}, which {@link SchemeInformation#parse(String)} reads; empty if
 *     absent
 */
public record RepairFlow(
    int encodingId, OptionalInt preferenceLevel, String senderInformation, String information) {

  static final String PREFIX = "a=fec-repair-flow:";

  private static final int MAX_ENCODING_ID = 0xFF;
  private static final String ENCODING_ID = "encoding-id";
  private static final String PREFERENCE_LEVEL = "preference-lvl";
  private static final String SENDER_INFORMATION = "ss-fssi";
  private static final String INFORMATION = "fssi";

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range, or a text contains a separator of
   *     parameters or lines
   */
  public RepairFlow {
    Wire.requireIn("FEC Encoding ID", encodingId, 0, MAX_ENCODING_ID);
    if (preferenceLevel.isPresent()) {
      Wire.requireIn("preference-lvl", preferenceLevel.getAsInt(), 0, Integer.MAX_VALUE);
    }
    requireValue(SENDER_INFORMATION, senderInformation);
    requireValue(INFORMATION, information);
  }

  private static void requireValue(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == ';' || c <= ' ' || c > '~') {
        throw new IllegalArgumentException(
            "%s has the character 0x%x at %d".formatted(name, (int) c, i));
      }
    }
  }

  /**
   * Reads a line of SDP.
   *
   * @param line for example {@code a=fec-repair-flow: encoding-id=10; fssi=E:1400,WSR:191}, with or
   *     without the end of the line
   * @throws MalformedDataException if the line is another attribute, or not as RFC 6364 says
   */
  public static RepairFlow parse(String line) throws MalformedDataException {
    Map<String, String> parameters = SdpText.parameters(line, PREFIX);
    int encodingId = (int) SdpText.number(parameters, ENCODING_ID, 0, MAX_ENCODING_ID);
    OptionalInt level =
        parameters.containsKey(PREFERENCE_LEVEL)
            ? OptionalInt.of(
                (int) SdpText.number(parameters, PREFERENCE_LEVEL, 0, Integer.MAX_VALUE))
            : OptionalInt.empty();
    String senderInformation = parameters.getOrDefault(SENDER_INFORMATION, "");
    String information = parameters.getOrDefault(INFORMATION, "");
    try {
      return new RepairFlow(encodingId, level, senderInformation, information);
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(PREFIX.length(), String.valueOf(e.getMessage()));
    }
  }

  /** Returns the line of SDP, without its end. */
  public String line() {
    StringBuilder line = new StringBuilder(PREFIX);
    line.append(' ').append(ENCODING_ID).append('=').append(encodingId);
    preferenceLevel.ifPresent(level -> append(line, PREFERENCE_LEVEL, Integer.toString(level)));
    append(line, SENDER_INFORMATION, senderInformation);
    append(line, INFORMATION, information);
    return line.toString();
  }

  private static void append(StringBuilder line, String name, String value) {
    if (!value.isEmpty()) {
      line.append("; ").append(name).append('=').append(value);
    }
  }
}
