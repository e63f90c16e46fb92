package io.fieldstone.rlnc.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/** Derives keys with HKDF-SHA256 (RFC 5869). */
final class Derivation {

  private Derivation() {}

  /**
   * Derives bytes from a key.
   *
   * @param salt may be empty
   * @param purpose ASCII; different purposes give independent bytes
   */
  static byte[] derive(byte[] key, byte[] salt, String purpose, int bytes) {
    byte[] info = purpose.getBytes(StandardCharsets.US_ASCII);
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract().addIKM(key).addSalt(salt).thenExpand(info, bytes));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("a JDK without HKDF-SHA256", e);
    }
  }
}
