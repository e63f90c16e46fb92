package io.fieldstone.rlnc.crypto;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * How the generations of an object hold the bytes of a file: as they are, or encrypted. A
 * generation of n·k bytes holds n·k consecutive bytes of the file, or {@value
 * GenerationCipher#TAG_BYTES} fewer if it is encrypted.
 *
 * <p>Immutable and thread-safe.
 */
public final class GenerationContent {

  private final ObjectManifest manifest;
  private final Optional<GenerationCipher> cipher;
  private final long length;

  private GenerationContent(
      ObjectManifest manifest, Optional<GenerationCipher> cipher, long length) {
    this.manifest = manifest;
    this.cipher = cipher;
    this.length = length;
  }

  /**
   * Returns the content of an object.
   *
   * @param manifest the sizes of the object; its root does not matter
   * @param cipher encrypts and decrypts its generations, if they are encrypted
   * @throws MalformedDataException if no plaintext gives an encrypted object of this length
   */
  public static GenerationContent of(ObjectManifest manifest, Optional<GenerationCipher> cipher)
      throws MalformedDataException {
    long length =
        cipher.isPresent() ? GenerationCipher.plaintextLength(manifest) : manifest.length();
    return new GenerationContent(manifest, cipher, length);
  }

  /** Returns the object. */
  public ObjectManifest manifest() {
    return manifest;
  }

  /** Returns true if generations are encrypted. */
  public boolean isEncrypted() {
    return cipher.isPresent();
  }

  /** Returns the bytes of the file. */
  public long length() {
    return length;
  }

  /** Returns the position in the file of the first byte of a generation. */
  public long positionOf(int generation) {
    return generation * (manifest.shape().bytes() - tagBytes());
  }

  /** Returns the bytes of the file in a generation. */
  public long bytesOf(int generation) {
    return manifest.bytesOf(generation) - tagBytes();
  }

  private int tagBytes() {
    return cipher.isPresent() ? GenerationCipher.TAG_BYTES : 0;
  }

  /**
   * Makes the source blocks of a generation of an encrypted object.
   *
   * @param bytes those of the file in the generation, {@link #bytesOf}
   * @param source n·k bytes with the n of this generation, all of which are written; other memory
   * @throws IllegalArgumentException if the sizes do not agree
   * @throws java.util.NoSuchElementException if the object is not encrypted
   */
  public void encrypt(int generation, MemorySegment bytes, MemorySegment source) {
    long coded = manifest.bytesOf(generation);
    cipher.orElseThrow().encrypt(generation, isLast(generation), bytes, source.asSlice(0, coded));
    source.asSlice(coded).fill((byte) 0);
  }

  /**
   * Decrypts a generation of an encrypted object.
   *
   * @param coded the bytes of the generation without padding
   * @param bytes receives those of the file, {@link #bytesOf}; undefined after an exception
   * @throws AuthenticationException if it was not encrypted with the key of the object
   * @throws IllegalArgumentException if the sizes do not agree
   * @throws java.util.NoSuchElementException if the object is not encrypted
   */
  public void decrypt(int generation, MemorySegment coded, MemorySegment bytes)
      throws AuthenticationException {
    cipher.orElseThrow().decrypt(generation, isLast(generation), coded, bytes);
  }

  private boolean isLast(int generation) {
    return generation == manifest.generations() - 1;
  }
}
