package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.ContentSalt;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Encrypts the batches of an object. A file is read twice: the first time for its salt. In the
 * second pass the salt is computed again, because ciphertext of another content under the same salt
 * would reveal both.
 */
final class BatchEncryption {

  private static final int CHUNK_BYTES = 1 << 20;

  private final GenerationCipher cipher;
  private final Optional<ContentSalt> second;

  private BatchEncryption(GenerationCipher cipher, Optional<ContentSalt> second) {
    this.cipher = cipher;
    this.second = second;
  }

  /** Returns the encryption of a file, which is read to its end. */
  static BatchEncryption ofFile(Source.OfFile file, EncodingParameters parameters, MasterKey key)
      throws IOException, InterruptedException {
    ContentSalt first = new ContentSalt(key, parameters.shape());
    MemorySegment chunk = MemorySegment.ofArray(new byte[CHUNK_BYTES]);
    for (long read = file.read(chunk); read > 0; read = file.read(chunk)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the encryption was interrupted");
      }
      first.update(chunk.asSlice(0, read));
    }
    return new BatchEncryption(
        GenerationCipher.of(key, first.salt()),
        Optional.of(new ContentSalt(key, parameters.shape())));
  }

  /** Returns the encryption of a stream, which has a random salt. */
  static BatchEncryption ofStream(MasterKey key) {
    return new BatchEncryption(GenerationCipher.of(key, ContentSalt.random()), Optional.empty());
  }

  GenerationCipher cipher() {
    return cipher;
  }

  /** Encrypts the next batch; returns the bytes of the plaintext. */
  long encrypt(EncodingBatch batch) {
    second.ifPresent(salt -> salt.update(batch.plaintext()));
    batch.encrypt(cipher);
    return batch.sourceBytes();
  }

  /** Checks that both passes have read the same plaintext. */
  void finish(String name) throws IOException {
    if (second.isPresent()) {
      Sha256 salt = second.get().salt();
      if (!salt.equals(cipher.parameters().salt())) {
        throw new IOException(name + ": was changed while it was read");
      }
    }
  }
}
