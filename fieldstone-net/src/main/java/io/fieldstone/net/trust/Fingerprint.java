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
    if (hex.length() != DIGITS || !hex.chars().allMatch(Fingerprint::isLowerHex)) {
      throw new IllegalArgumentException(
          "fingerprint '" + hex + "': want sha256: and 64 hexadecimal digits");
    }
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
   * Reads {@code sha256:} and 64 hexadecimal digits of either case.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Fingerprint parse(String text) {
    if (!text.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      throw new IllegalArgumentException(
          "fingerprint '" + text + "': want sha256: and 64 hexadecimal digits");
    }
    return new Fingerprint(text.substring(PREFIX.length()).toLowerCase(Locale.ROOT));
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
