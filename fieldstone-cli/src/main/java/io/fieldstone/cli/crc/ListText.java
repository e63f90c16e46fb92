package io.fieldstone.cli.crc;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The text of lists: in the encoding of the locale, or in that of their byte order mark. */
final class ListText {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private ListText() {}

  /** Decodes a list; Windows writes UTF-16 with a byte order mark. */
  static String decode(byte[] bytes, Charset charset) {
    String text = new String(bytes, charsetOf(bytes, charset));
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  private static Charset charsetOf(byte[] bytes, Charset charset) {
    if (bytes.length >= 2 && bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE) {
      return StandardCharsets.UTF_16LE;
    }
    if (bytes.length >= 2 && bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF) {
      return StandardCharsets.UTF_16BE;
    }
    return charset;
  }
}
