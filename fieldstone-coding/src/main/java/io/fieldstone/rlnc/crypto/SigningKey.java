package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The secret key of a publisher: Ed25519 (RFC 8032). Immutable and thread-safe. {@link #toString}
 * does not show the secret.
 */
public final class SigningKey {

  /** The bytes of the secret seed. */
  private static final int SEED_BYTES = 32;

  /** The bytes before the seed in a PKCS #8 key (RFC 8410, Section 7). */
  private static final byte[] PKCS8_PREFIX =
      HexFormat.of().parseHex("302e020100300506032b657004220420");

  private final byte[] seed;
  private final PublisherKey publisher;

  private SigningKey(byte[] seed, PublisherKey publisher) {
    this.seed = seed;
    this.publisher = publisher;
  }

  /** Generates a random key. */
  public static SigningKey generate() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(PublisherKey.ALGORITHM).generateKeyPair();
      return new SigningKey(
          tail(pair.getPrivate().getEncoded(), SEED_BYTES),
          PublisherKey.of(tail(pair.getPublic().getEncoded(), PublisherKey.BYTES)));
    } catch (GeneralSecurityException e) {
      throw noEd25519(e);
    }
  }

  private static byte[] tail(byte[] bytes, int count) {
    return Arrays.copyOfRange(bytes, bytes.length - count, bytes.length);
  }

  private static AssertionError noEd25519(GeneralSecurityException e) {
    return new AssertionError("a JDK without Ed25519", e);
  }

  /** Returns true if a text starts as that of a signing key does. */
  public static boolean isText(String text) {
    return KeyText.isOfKind(KeyText.SIGNING, text);
  }

  /**
   * Parses the text of a key file.
   *
   * @throws MalformedDataException if the text is not exactly that of a signing key; the message
   *     has no secret part of the key
   */
  public static SigningKey parse(String text) throws MalformedDataException {
    byte[] both = KeyText.read(KeyText.SIGNING, text, SEED_BYTES + PublisherKey.BYTES);
    SigningKey key =
        new SigningKey(
            Arrays.copyOf(both, SEED_BYTES), PublisherKey.of(tail(both, PublisherKey.BYTES)));
    byte[] trial = {};
    if (!key.publisher.verifies(trial, key.sign(trial))) {
      throw new MalformedDataException(
          0, "the secret part of the signing key does not belong to " + key.publisher);
    }
    return key;
  }

  /** Returns the text of the key file, which is secret. */
  public String toText() {
    byte[] both = Arrays.copyOf(seed, SEED_BYTES + PublisherKey.BYTES);
    System.arraycopy(publisher.bytes(), 0, both, SEED_BYTES, PublisherKey.BYTES);
    return KeyText.write(KeyText.SIGNING, both);
  }

  /** Returns the public key. */
  public PublisherKey publisher() {
    return publisher;
  }

  /** Signs a message; the signature depends on the key and the message alone. */
  byte[] sign(byte[] message) {
    try {
      byte[] encoded = Arrays.copyOf(PKCS8_PREFIX, PKCS8_PREFIX.length + SEED_BYTES);
      System.arraycopy(seed, 0, encoded, PKCS8_PREFIX.length, SEED_BYTES);
      Signature signer = Signature.getInstance(PublisherKey.ALGORITHM);
      signer.initSign(
          KeyFactory.getInstance(PublisherKey.ALGORITHM)
              .generatePrivate(new PKCS8EncodedKeySpec(encoded)));
      signer.update(message);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw noEd25519(e);
    }
  }

  /** Returns the public key. */
  @Override
  public String toString() {
    return "signing key of " + publisher;
  }
}
