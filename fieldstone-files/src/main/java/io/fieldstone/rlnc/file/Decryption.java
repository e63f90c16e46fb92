package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.AuthenticationException;
import io.fieldstone.rlnc.crypto.DecryptionException;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.WrongKeyException;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.Optional;

/** Decrypts the decoded generations of an object. Immutable and thread-safe. */
final class Decryption {

  private final String name;
  private final GenerationCipher cipher;
  private final long length;

  private Decryption(String name, GenerationCipher cipher, long length) {
    this.name = name;
    this.cipher = cipher;
    this.length = length;
  }

  /**
   * Returns the decryption of an object; empty if it is not encrypted.
   *
   * @throws DecryptionException if the key is missing, needless or another, or no plaintext has the
   *     length of the object
   */
  static Optional<Decryption> of(CodedObject object, Optional<MasterKey> key)
      throws DecryptionException {
    Optional<ObjectManifest.Encryption> parameters = object.manifest().encryption();
    try {
      Optional<GenerationCipher> cipher = GenerationCipher.of(key, parameters);
      if (cipher.isEmpty()) {
        return Optional.empty();
      }
      long length = GenerationCipher.plaintextLength(object.manifest());
      return Optional.of(new Decryption(object.name(), cipher.get(), length));
    } catch (WrongKeyException e) {
      throw new DecryptionException(object.name(), "is " + e.getMessage());
    } catch (MalformedDataException e) {
      throw new DecryptionException(object.name(), e.problem(), e);
    }
  }

  /** Returns the bytes of the plaintext. */
  long length() {
    return length;
  }

  /**
   * Decrypts a batch; returns the bytes of its plaintext.
   *
   * @param set the shards that it was decoded from
   * @throws DecryptionException if a generation has its hash, and does not authenticate
   * @throws DigestMismatchException if one does not authenticate, and no shard has its hash
   */
  long decrypt(DecodingBatch batch, ShardSet set)
      throws DecryptionException, DigestMismatchException {
    try {
      return batch.decrypt(cipher).byteSize();
    } catch (AuthenticationException e) {
      String problem = String.valueOf(e.getMessage());
      if (set.hashes().isEmpty()) {
        throw new DigestMismatchException("'%s': %s".formatted(name, problem), set.report());
      }
      throw new DecryptionException(name, problem, e);
    }
  }
}
