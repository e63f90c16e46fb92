package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lists of {@code name=value} and of {@code name:value} in attributes of SDP (RFC 6364). */
final class SdpText {

  private SdpText() {}

  /**
   * Returns the parameters of an attribute, {@code name=value} separated by semicolons.
   *
   * @param line one line of SDP, with or without its end
   * @param prefix the attribute with its colon, for example {@code a=fec-source-flow:}
   * @throws MalformedDataException if the line is another one, or a parameter has no name or value,
   *     or appears twice
   */
  static Map<String, String> parameters(String line, String prefix) throws MalformedDataException {
    String text = line.strip();
    if (!text.startsWith(prefix)) {
      throw new MalformedDataException(0, "a line of SDP that does not begin with " + prefix);
    }
    return pairs(text, prefix.length(), ';', '=');
  }

  /**
   * Returns the elements of an FSSI, {@code name:value} separated by commas.
   *
   * @throws MalformedDataException if an element has no name or value, or appears twice
   */
  static Map<String, String> elements(String text) throws MalformedDataException {
    return pairs(text, 0, ',', ':');
  }

  private static Map<String, String> pairs(String text, int from, char between, char inside)
      throws MalformedDataException {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int at = from; at <= text.length(); ) {
      int next = text.indexOf(between, at);
      int end = next < 0 ? text.length() : next;
      String pair = text.substring(at, end).strip();
      int middle = pair.indexOf(inside);
      if (middle < 1 || middle == pair.length() - 1) {
        throw new MalformedDataException(at, "no name and value around '" + inside + "'");
      }
      if (pairs.put(pair.substring(0, middle), pair.substring(middle + 1)) != null) {
        throw new MalformedDataException(at, "a second " + pair.substring(0, middle));
      }
      at = end + 1;
    }
    return pairs;
  }

  /**
   * Returns a decimal number.
   *
   * @throws MalformedDataException if the name is missing, or its value is not digits, or too large
   */
  static long number(Map<String, String> pairs, String name, long first, long last)
      throws MalformedDataException {
    String value = pairs.get(name);
    if (value == null) {
      throw new MalformedDataException(0, name + " is missing");
    }
    long number = 0;
    for (int i = 0; i < value.length(); i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new MalformedDataException(i, name + " is not a number");
      }
      number = Math.min(number * 10 + digit, Integer.MAX_VALUE * 4L);
    }
    if (number < first || number > last) {
      throw new MalformedDataException(
          0, "%s %s is not in %d…%d".formatted(name, value, first, last));
    }
    return number;
  }
}
