package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * The text of a key file (docs/format.md, "Key files"): a line that names the kind, the key and a
 * checksum in Base64, and an end line. A key has exactly one text, but for the line ends.
 */
final class KeyText {

  static final String ENCRYPTION = "FIELDSTONE ENCRYPTION KEY";
  static final String SIGNING = "FIELDSTONE SIGNING KEY";

  private static final int CHECKSUM_BYTES = 4;

  private KeyText() {}

  private static String begin(String kind) {
    return "-----BEGIN " + kind + "-----\n";
  }

  private static String end(String kind) {
    return "\n-----END " + kind + "-----\n";
  }

  static boolean isOfKind(String kind, String text) {
    return lines(text).startsWith(begin(kind));
  }

  /** Returns the text with line feeds only, also at its end: editors write and omit others. */
  static String lines(String text) {
    String lines = text.replace("\r\n", "\n");
    return lines.endsWith("\n") ? lines : lines + "\n";
  }

  static String write(String kind, byte[] key) {
    byte[] checked = Arrays.copyOf(key, key.length + CHECKSUM_BYTES);
    System.arraycopy(checksum(kind, key), 0, checked, key.length, CHECKSUM_BYTES);
    return begin(kind) + Base64.getEncoder().encodeToString(checked) + end(kind);
  }

  /**
   * Parses the text of a key.
   *
   * @param keyText may have CR LF at the end of lines, and none at its end
   * @param keyBytes the bytes of a key of this kind
   * @throws MalformedDataException if the text is not exactly that of a key of this kind; the
   *     message has no part of the key
   */
  static byte[] read(String kind, String keyText, int keyBytes) throws MalformedDataException {
    String text = lines(keyText);
    if (!isOfKind(kind, text)) {
      String other = kind.equals(ENCRYPTION) ? SIGNING : ENCRYPTION;
      throw new MalformedDataException(
          0,
          isOfKind(other, text)
              ? "this is a key for %s, not for %s".formatted(purpose(other), purpose(kind))
              : "not a key for %s: it does not start with '%s'"
                  .formatted(purpose(kind), begin(kind).strip()));
    }
    int from = begin(kind).length();
    int to = text.length() - end(kind).length();
    if (to < from || !text.endsWith(end(kind))) {
      throw new MalformedDataException(
          from, "the %s does not end with '%s'".formatted(name(kind), end(kind).strip()));
    }
    byte[] checked;
    try {
      checked = Base64.getDecoder().decode(text.substring(from, to));
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(from, "the " + name(kind) + " is not Base64");
    }
    if (checked.length != keyBytes + CHECKSUM_BYTES) {
      throw new MalformedDataException(
          from,
          "the %s has %d bytes, not %d"
              .formatted(name(kind), checked.length, keyBytes + CHECKSUM_BYTES));
    }
    byte[] key = Arrays.copyOf(checked, keyBytes);
    if (!write(kind, key).equals(text)) {
      throw new MalformedDataException(from, "the checksum of the " + name(kind) + " is wrong");
    }
    return key;
  }

  private static String purpose(String kind) {
    return kind.equals(ENCRYPTION) ? "encryption" : "signing";
  }

  private static String name(String kind) {
    return purpose(kind) + " key";
  }

  private static byte[] checksum(String kind, byte[] key) {
    byte[] label = kind.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(label.length + key.length).put(label).put(key).flip();
    return Arrays.copyOf(Sha256.hash(bytes).bytes(), CHECKSUM_BYTES);
  }
}
