package io.fieldstone.rlnc.wire;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest as a value, for identities and hash trees.
 *
 * <p>Immutable and thread-safe. The order is that of the hexadecimal digits.
 *
 * @param word0 bytes 0 … 7, big-endian
 * @param word1 bytes 8 … 15
 * @param word2 bytes 16 … 23
 * @param word3 bytes 24 … 31
 */
public record Sha256(long word0, long word1, long word2, long word3) implements Comparable<Sha256> {

  /** The bytes of a digest. */
  public static final int BYTES = 32;

  /**
   * Returns the digest that 64 hexadecimal digits write.
   *
   * @throws IllegalArgumentException if the text is not 64 hexadecimal digits
   */
  public static Sha256 parse(String hex) {
    if (hex.length() != 2 * BYTES) {
      throw new IllegalArgumentException(
          "'%s' has %d characters; a SHA-256 has %d digits"
              .formatted(hex, hex.length(), 2 * BYTES));
    }
    return of(HexFormat.of().parseHex(hex));
  }

  /**
   * Returns the digest of 32 bytes.
   *
   * @throws IllegalArgumentException if there are not 32 bytes
   */
  public static Sha256 of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes; a SHA-256 has " + BYTES);
    }
    return read(ByteBuffer.wrap(bytes));
  }

  /** Reads a digest at the position of a big-endian buffer, which advances by 32 bytes. */
  public static Sha256 read(ByteBuffer buffer) {
    return new Sha256(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  /** Creates a SHA-256 digest, which every Java platform supports. */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Computes the digest of the remaining bytes of a buffer. */
  public static Sha256 hash(ByteBuffer data) {
    MessageDigest digest = newDigest();
    digest.update(data);
    return of(digest.digest());
  }

  /** Writes the digest at the position of a big-endian buffer, which advances by 32 bytes. */
  public void writeTo(ByteBuffer buffer) {
    buffer.putLong(word0).putLong(word1).putLong(word2).putLong(word3);
  }

  /** Returns the 32 bytes. */
  public byte[] bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    writeTo(buffer);
    return buffer.array();
  }

  // Written out: the JVM makes those of records when they are first called, which a short command
  // waits for.
  @Override
  public boolean equals(Object other) {
    return other instanceof Sha256 hash
        && word0 == hash.word0
        && word1 == hash.word1
        && word2 == hash.word2
        && word3 == hash.word3;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(word0);
  }

  @Override
  public int compareTo(Sha256 other) {
    int order = Long.compareUnsigned(word0, other.word0);
    order = order != 0 ? order : Long.compareUnsigned(word1, other.word1);
    order = order != 0 ? order : Long.compareUnsigned(word2, other.word2);
    return order != 0 ? order : Long.compareUnsigned(word3, other.word3);
  }

  /** Returns 64 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes());
  }
}
