package io.fieldstone.rlnc.crypto;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The public key of a publisher: Ed25519 (RFC 8032). Its text is {@code ed25519:} and 64 lower-case
 * hexadecimal digits. Immutable and thread-safe.
 */
public final class PublisherKey {

  /** The bytes of a public key. */
  public static final int BYTES = 32;

  static final String ALGORITHM = "Ed25519";

  /** The bytes of a signature. */
  static final int SIGNATURE_BYTES = 64;

  private static final String PREFIX = "ed25519:";

  /** The bytes before the key in an X.509 key (RFC 8410, Section 4). */
  private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private final byte[] bytes;

  private PublisherKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the key of 32 bytes, which need not be a point of the curve: such a key verifies
   * nothing.
   *
   * @throws IllegalArgumentException if there are not {@value #BYTES} bytes
   */
  public static PublisherKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a public key of %d bytes, not %d".formatted(bytes.length, BYTES));
    }
    return new PublisherKey(bytes.clone());
  }

  /**
   * Parses the text of a key.
   *
   * @throws IllegalArgumentException if the text is not {@code ed25519:} and 64 lower-case digits
   */
  public static PublisherKey parse(String text) {
    if (!text.matches(PREFIX + "[0-9a-f]{64}")) {
      throw new IllegalArgumentException(
          "'%s' is not a public key: 'ed25519:' and 64 hexadecimal digits".formatted(text));
    }
    return new PublisherKey(HexFormat.of().parseHex(text.substring(PREFIX.length())));
  }

  /** Returns a copy of the 32 bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Returns true if a signature of a message was made with the secret part of this key.
   *
   * @param signature 64 bytes
   */
  boolean verifies(byte[] message, byte[] signature) {
    try {
      byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + BYTES);
      System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, BYTES);
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // no point of the curve, or no possible signature
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PublisherKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the text, which {@link #parse} reads. */
  @Override
  public String toString() {
    return PREFIX + HexFormat.of().formatHex(bytes);
  }
}
