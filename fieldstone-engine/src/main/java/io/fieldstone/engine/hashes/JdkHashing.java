package io.fieldstone.engine.hashes;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes by {@link MessageDigest}, the oracle of the port. */
final class JdkHashing implements Hashing {

  static final Hashing INSTANCE = new JdkHashing();

  /** The maximum bytes of an update: a byte buffer has at most 2^31 − 1. */
  private static final long MAX_UPDATE_BYTES = 1L << 30;

  private JdkHashing() {}

  @Override
  public void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    Hashing.requireValid(prefix, messages, pitch, count, bytes, hashes);
    MessageDigest digest = newDigest();
    byte[] hash = new byte[HASH_BYTES];
    for (int i = 0; i < count; i++) {
      if (prefix != NO_PREFIX) {
        digest.update((byte) prefix);
      }
      update(digest, messages.asSlice(i * pitch, bytes));
      try {
        int _ = digest.digest(hash, 0, HASH_BYTES);
      } catch (DigestException e) {
        throw new AssertionError("the array has the bytes of a hash", e);
      }
      MemorySegment.copy(hash, 0, hashes, JAVA_BYTE, (long) i * HASH_BYTES, HASH_BYTES);
    }
  }

  private static void update(MessageDigest digest, MemorySegment message) {
    for (long at = 0; at < message.byteSize(); at += MAX_UPDATE_BYTES) {
      long bytes = Math.min(MAX_UPDATE_BYTES, message.byteSize() - at);
      digest.update(message.asSlice(at, bytes).asByteBuffer());
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
