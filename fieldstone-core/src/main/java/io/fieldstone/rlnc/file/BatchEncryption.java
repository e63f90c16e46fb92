package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.ContentSalt;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.Source;
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

  /**
   * Returns the encryption of a file, which is read to its end.
   *
   * @param listener receives the bytes read
   */
  static BatchEncryption ofFile(
      Source.OfFile file, EncodingParameters parameters, MasterKey key, ProgressListener listener)
      throws IOException, InterruptedException {
    ContentSalt first = new ContentSalt(key, parameters.shape());
    MemorySegment chunk = MemorySegment.ofArray(new byte[CHUNK_BYTES]);
    for (long at = 0; at < file.length(); at += CHUNK_BYTES) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the encryption was interrupted");
      }
      MemorySegment next = chunk.asSlice(0, Math.min(CHUNK_BYTES, file.length() - at));
      file.read(next, at);
      first.update(next);
      listener.progress(at + next.byteSize(), file.length());
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

  /** Adds the plaintext of the next batch to the salt; returns its bytes. */
  long check(EncodingBatch batch) {
    second.ifPresent(salt -> salt.update(batch.plaintext()));
    return batch.sourceBytes();
  }

  /** Encrypts a batch; returns the bytes of the plaintext. Thread-safe. */
  long encrypt(EncodingBatch batch) {
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
