package io.fieldstone.cli.crc;

import io.fieldstone.crc.CrcValue;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Checksums in base64 as S3 writes them: the bytes of the number, the most significant first. Such
 * a checksum of a full object is that of all its bytes. One that ends in a hyphen and a number is
 * of the checksums of as many parts, which no checksum of the object can be compared with.
 */
final class CrcBase64 {

  private CrcBase64() {}

  static String format(CrcValue checksum) {
    return Base64.getEncoder().encodeToString(checksum.toByteArray());
  }

  /**
   * Parses a checksum.
   *
   * @throws IllegalArgumentException if the text is not base64, or has other bytes than the width
   */
  static CrcValue parse(int width, String text) {
    int hyphen = text.indexOf('-');
    if (hyphen >= 0) {
      throw new IllegalArgumentException(
          "'%s' is S3's checksum of the checksums of %s parts, not of the object"
              .formatted(text, text.substring(hyphen + 1)));
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is not base64", e);
    }
    int expected = Math.ceilDiv(width, Byte.SIZE);
    if (bytes.length != expected) {
      throw new IllegalArgumentException(
          "'%s' has %d bytes, and a checksum of %d bits %d"
              .formatted(text, bytes.length, width, expected));
    }
    return CrcValue.parse(width, HexFormat.of().formatHex(bytes));
  }
}
