package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * A secret of 256 bits, from which the keys of encrypted objects are derived. Every holder can read
 * all objects that were encrypted with it.
 *
 * <p>Immutable and thread-safe. {@link #toString} does not show the secret.
 */
public final class MasterKey {

  /** The bytes of the secret. */
  public static final int BYTES = 32;

  private final byte[] secret;
  private final long keyId;

  private MasterKey(byte[] secret) {
    this.secret = secret;
    this.keyId =
        ByteBuffer.wrap(Derivation.derive(secret, new byte[0], "fieldstone key id", Long.BYTES))
            .getLong();
  }

  /** Generates a random key. */
  public static MasterKey generate() {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return new MasterKey(secret);
  }

  /**
   * Returns the key with a secret.
   *
   * @throws IllegalArgumentException if the secret does not have {@value #BYTES} bytes
   */
  public static MasterKey of(byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException(
          "an encryption key of %d bytes, not %d".formatted(secret.length, BYTES));
    }
    return new MasterKey(secret.clone());
  }

  /** Returns true if a text starts as that of an encryption key does. */
  public static boolean isText(String text) {
    return KeyText.isOfKind(KeyText.ENCRYPTION, text);
  }

  /**
   * Parses the text of a key file.
   *
   * @throws MalformedDataException if the text is not exactly that of an encryption key; the
   *     message has no part of the key
   */
  public static MasterKey parse(String text) throws MalformedDataException {
    return new MasterKey(KeyText.read(KeyText.ENCRYPTION, text, BYTES));
  }

  /** Returns the text of the key file, which is secret. */
  public String toText() {
    return KeyText.write(KeyText.ENCRYPTION, secret);
  }

  /** Returns the public name of this key, which objects state: 64 bits derived from the secret. */
  public long keyId() {
    return keyId;
  }

  byte[] derive(byte[] salt, String purpose, int bytes) {
    return Derivation.derive(secret, salt, purpose, bytes);
  }

  /** Returns the id of the key. */
  @Override
  public String toString() {
    return "encryption key %016x".formatted(keyId);
  }
}
