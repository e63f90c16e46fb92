package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and decrypts the generations of an object with AES-256-GCM (docs/format.md,
 * "Encryption"). A generation of n·k bytes is the ciphertext of n·k − {@value #TAG_BYTES} bytes and
 * its tag; the last one may be shorter. The nonce is the number of the generation and whether it is
 * the last, so that generations can be neither moved nor cut off.
 *
 * <p>The key of an object is HKDF-SHA256 of the master key and the salt in its manifest. Choose the
 * salt with {@link ContentDigests}: a salt must never be used for two contents.
 *
 * {@snippet :
 * GenerationCipher cipher = GenerationCipher.of(key, manifest.encryption().orElseThrow());
 * cipher.decrypt(generation, generation == manifest.generations() - 1, ciphertext, plaintext);
 * }
 *
 * <p>Immutable and thread-safe.
 */
public final class GenerationCipher {

  /** The bytes of a tag, by which a generation is longer than its plaintext. */
  public static final int TAG_BYTES = 16;

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int LAST_AT = 11;

  private final ObjectManifest.Encryption parameters;
  private final SecretKeySpec key;

  private GenerationCipher(MasterKey master, ObjectManifest.Encryption parameters) {
    this.parameters = parameters;
    byte[] salt = parameters.salt().bytes();
    this.key = new SecretKeySpec(master.derive(salt, "fieldstone object", KEY_BYTES), "AES");
  }

  /**
   * Returns the cipher of a new object.
   *
   * @param salt used for no other content with this key
   */
  public static GenerationCipher of(MasterKey key, Sha256 salt) {
    return new GenerationCipher(key, new ObjectManifest.Encryption(salt, key.keyId()));
  }

  /**
   * Returns the cipher of an object.
   *
   * @throws WrongKeyException if the object is encrypted with another key
   */
  public static GenerationCipher of(MasterKey key, ObjectManifest.Encryption parameters)
      throws WrongKeyException {
    if (key.keyId() != parameters.keyId()) {
      throw new WrongKeyException(
          "encrypted with key %016x, not with key %016x"
              .formatted(parameters.keyId(), key.keyId()));
    }
    return new GenerationCipher(key, parameters);
  }

  /**
   * Returns the cipher by which an object is read; empty if it is not encrypted.
   *
   * @param key the reader's key, if there is one
   * @param parameters those of the object, if it is encrypted
   * @throws WrongKeyException if the key is missing, needless or another. The message continues a
   *     sentence that begins with the object and "is"
   */
  public static Optional<GenerationCipher> of(
      Optional<MasterKey> key, Optional<ObjectManifest.Encryption> parameters)
      throws WrongKeyException {
    if (parameters.isEmpty()) {
      if (key.isPresent()) {
        throw new WrongKeyException("not encrypted, but a key is given");
      }
      return Optional.empty();
    }
    if (key.isEmpty()) {
      throw new WrongKeyException(
          "encrypted: key %016x is needed".formatted(parameters.get().keyId()));
    }
    return Optional.of(of(key.get(), parameters.get()));
  }

  /**
   * Returns the plaintext bytes of a full generation, n·k − {@value #TAG_BYTES}.
   *
   * @throws IllegalArgumentException if n·k is less than 17 or more than 2^31 − 1
   */
  public static int plaintextBytes(GenerationShape shape) {
    long bytes = shape.bytes();
    if (bytes <= TAG_BYTES || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "generations of %d bytes cannot be encrypted: %d…%d can"
              .formatted(bytes, TAG_BYTES + 1, Integer.MAX_VALUE));
    }
    return (int) bytes - TAG_BYTES;
  }

  /**
   * Returns the length of the object that encrypts a plaintext.
   *
   * @throws IllegalArgumentException if the shape is out of bounds ({@link #plaintextBytes}) or the
   *     length exceeds 2^63 − 1
   */
  public static long ciphertextLength(long plaintextLength, GenerationShape shape) {
    long generations = Math.ceilDiv(plaintextLength, plaintextBytes(shape));
    if (plaintextLength < 0 || plaintextLength > Long.MAX_VALUE - generations * TAG_BYTES) {
      throw new IllegalArgumentException("a plaintext of " + plaintextLength + " bytes");
    }
    return plaintextLength + generations * TAG_BYTES;
  }

  /**
   * Returns the length of the plaintext of an encrypted object.
   *
   * @throws MalformedDataException if no plaintext gives an object of this length and shape
   */
  public static long plaintextLength(ObjectManifest manifest) throws MalformedDataException {
    int generations = manifest.generations();
    long length = manifest.length() - (long) generations * TAG_BYTES;
    try {
      if (generations > 0
          && (plaintextBytes(manifest.shape()) <= 0
              || manifest.bytesOf(generations - 1) <= TAG_BYTES)) {
        throw new MalformedDataException(
            0, "no plaintext has a ciphertext of %d bytes".formatted(manifest.length()));
      }
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(0, String.valueOf(e.getMessage()));
    }
    return length;
  }

  /** Returns the salt and the id of the key, which the manifest states. */
  public ObjectManifest.Encryption parameters() {
    return parameters;
  }

  /**
   * Encrypts a generation.
   *
   * @param generation its number, ≥ 0
   * @param isLast whether it is the last of the object
   * @param plaintext at most {@link #plaintextBytes} bytes
   * @param ciphertext receives {@value #TAG_BYTES} bytes more; not the same memory
   * @throws IllegalArgumentException if the sizes do not agree
   */
  public void encrypt(
      long generation, boolean isLast, MemorySegment plaintext, MemorySegment ciphertext) {
    requireSizes(plaintext, ciphertext);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, generation, isLast);
      cipher.doFinal(plaintext.asByteBuffer(), ciphertext.asByteBuffer());
    } catch (GeneralSecurityException e) {
      throw new AssertionError("AES-256-GCM failed", e);
    }
  }

  /**
   * Decrypts a generation.
   *
   * @param generation its number, ≥ 0
   * @param isLast whether it is the last of the object
   * @param ciphertext at least {@value #TAG_BYTES} bytes
   * @param plaintext receives {@value #TAG_BYTES} bytes less; undefined after an exception
   * @throws AuthenticationException if it is not what {@link #encrypt} makes with this key, number
   *     and position
   * @throws IllegalArgumentException if the sizes do not agree
   */
  public void decrypt(
      long generation, boolean isLast, MemorySegment ciphertext, MemorySegment plaintext)
      throws AuthenticationException {
    requireSizes(plaintext, ciphertext);
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, generation, isLast);
      cipher.doFinal(ciphertext.asByteBuffer(), plaintext.asByteBuffer());
    } catch (AEADBadTagException e) {
      throw new AuthenticationException(generation, e);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("AES-256-GCM failed", e);
    }
  }

  private static void requireSizes(MemorySegment plaintext, MemorySegment ciphertext) {
    if (ciphertext.byteSize() != plaintext.byteSize() + TAG_BYTES) {
      throw new IllegalArgumentException(
          "a ciphertext of %d bytes for a plaintext of %d bytes"
              .formatted(ciphertext.byteSize(), plaintext.byteSize()));
    }
  }

  private Cipher cipher(int mode, long generation, boolean isLast) throws GeneralSecurityException {
    byte[] nonce = ByteBuffer.allocate(NONCE_BYTES).putLong(generation).array();
    nonce[LAST_AT] = (byte) (isLast ? 1 : 0);
    Cipher cipher = Cipher.getInstance(TRANSFORMATION);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    return cipher;
  }
}
