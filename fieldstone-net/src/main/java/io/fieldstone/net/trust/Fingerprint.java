package io.fieldstone.net.trust;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of a certificate in DER. Immutable.
 *
 * @param hex 64 digits, lower case
 */
public record Fingerprint(String hex) {
  private static final String PREFIX = "sha256:";
  private static final int DIGITS = 64;

  /** Checks the digits. */
  public Fingerprint {
    if (!isHex(hex)) {
      throw malformed(hex);
    }
  }

  private static boolean isHex(String digits) {
    return digits.length() == DIGITS && digits.chars().allMatch(Fingerprint::isLowerHex);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "fingerprint '%s': want %d hexadecimal digits, with or without '%s' before them"
            .formatted(text, DIGITS, PREFIX));
  }

  /** Computes the fingerprint of a certificate. */
  public static Fingerprint of(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return new Fingerprint(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalArgumentException("certificate has no SHA-256: " + e.getMessage(), e);
    }
  }

  /**
   * Reads 64 hexadecimal digits of either case, with or without {@code sha256:} before them.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Fingerprint parse(String text) {
    boolean hasPrefix = text.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    String digits = text.substring(hasPrefix ? PREFIX.length() : 0).toLowerCase(Locale.ROOT);
    if (!isHex(digits)) {
      throw malformed(text);
    }
    return new Fingerprint(digits);
  }

  /** Gives {@code sha256:} and the digits. */
  @Override
  public String toString() {
    return PREFIX + hex;
  }

  private static boolean isLowerHex(int c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
  }
}
