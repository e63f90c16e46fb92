package io.fieldstone.net.fetch;

import io.fieldstone.rlnc.crypto.AuthenticationException;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.WrongKeyException;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Gets the bytes of the file from verified generations: authenticates and decrypts them if the
 * object is encrypted. For one thread at a time.
 */
final class Decryption {

  private final String name;
  private final GenerationContent content;

  /** The bytes of the last generation, if they are decrypted. */
  private final MemorySegment plaintext;

  private Decryption(String name, GenerationContent content) {
    this.name = name;
    this.content = content;
    this.plaintext =
        content.isEncrypted()
            ? MemorySegment.ofArray(new byte[Math.toIntExact(content.manifest().shape().bytes())])
            : MemorySegment.NULL;
  }

  /**
   * Returns the decryption of an object.
   *
   * @param name the name of the object in messages
   * @param key the key, if there is one
   * @throws FetchFailedException if the key is missing, needless or another, or no plaintext has
   *     the length of the object
   */
  static Decryption of(String name, ObjectManifest manifest, Optional<MasterKey> key)
      throws FetchFailedException {
    try {
      Optional<GenerationCipher> cipher = GenerationCipher.of(key, manifest.encryption());
      return new Decryption(name, GenerationContent.of(manifest, cipher));
    } catch (WrongKeyException e) {
      throw new FetchFailedException("'%s' is %s".formatted(name, e.getMessage()));
    } catch (MalformedDataException e) {
      throw new FetchFailedException("'%s': %s".formatted(name, e.problem()));
    }
  }

  /** Returns where the bytes of the file are. */
  GenerationContent content() {
    return content;
  }

  /**
   * Returns the bytes of the file in a generation.
   *
   * @param coded the bytes of the generation without padding
   * @return valid as long as {@code coded}, at most until the next call
   * @throws FetchFailedException if they were not encrypted with the key
   */
  MemorySegment bytes(int generation, MemorySegment coded) throws FetchFailedException {
    if (!content.isEncrypted()) {
      return coded;
    }
    MemorySegment bytes = plaintext.asSlice(0, content.bytesOf(generation));
    try {
      content.decrypt(generation, coded, bytes);
    } catch (AuthenticationException e) {
      throw new FetchFailedException("'%s': %s".formatted(name, e.getMessage()));
    }
    return bytes;
  }
}
