package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The state from which a receiver resumes: the object, and the generations that are verified and
 * kept. The caller decides whether it trusts the kept bytes, or hashes them again.
 *
 * <p>Form: 8 bytes of magic, the length of the manifest (2 bytes), the manifest, a bit for each
 * generation (bit i of byte j is generation 8j + i), and the SHA-256 of all before it.
 *
 * @param manifest the object
 * @param verified the verified generations; copied
 */
public record ResumeState(ObjectManifest manifest, BitSet verified) {

  private static final byte[] MAGIC = "FSTRSM\0\2".getBytes(StandardCharsets.ISO_8859_1);

  /**
   * Copies the set.
   *
   * @throws IllegalArgumentException if it has a generation that the object has not
   */
  public ResumeState {
    if (verified.length() > manifest.generations()) {
      throw new IllegalArgumentException(
          "generation %d of %d".formatted(verified.length() - 1, manifest.generations()));
    }
    verified = (BitSet) verified.clone();
  }

  /** Returns a copy of the verified generations. */
  @Override
  public BitSet verified() {
    return (BitSet) verified.clone();
  }

  /** Returns the bytes of this state. */
  public byte[] toBytes() {
    byte[] described = manifest.toBytes();
    int bitBytes = bitBytes(manifest);
    ByteBuffer buffer =
        ByteBuffer.allocate(MAGIC.length + 2 + described.length + bitBytes + Sha256.BYTES);
    buffer.put(MAGIC).putShort((short) described.length).put(described);
    buffer.put(Arrays.copyOf(verified.toByteArray(), bitBytes));
    Sha256.hash(buffer.duplicate().flip()).writeTo(buffer);
    return buffer.array();
  }

  /**
   * Parses a state.
   *
   * @param bytes exactly one state
   * @throws MalformedDataException if the bytes are damaged, truncated or of another kind
   */
  public static ResumeState parse(byte[] bytes) throws MalformedDataException {
    int manifestAt = MAGIC.length + 2;
    if (bytes.length < manifestAt + Sha256.BYTES) {
      throw new MalformedDataException(
          0,
          "%d bytes; a state has at least %d".formatted(bytes.length, manifestAt + Sha256.BYTES));
    }
    if (Arrays.mismatch(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length) >= 0) {
      throw new MalformedDataException(0, "not the state of a receiver");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int hashAt = bytes.length - Sha256.BYTES;
    Sha256 hash = Sha256.read(buffer.duplicate().position(hashAt));
    if (!hash.equals(Sha256.hash(buffer.duplicate().limit(hashAt)))) {
      throw new MalformedDataException(hashAt, "the hash differs: the state is damaged");
    }
    int manifestBytes = Short.toUnsignedInt(buffer.getShort(MAGIC.length));
    if (manifestBytes > hashAt - manifestAt) {
      throw new MalformedDataException(
          MAGIC.length, "a manifest of %d bytes in %d".formatted(manifestBytes, bytes.length));
    }
    int bitsAt = manifestAt + manifestBytes;
    ObjectManifest manifest = ObjectManifest.parse(Arrays.copyOfRange(bytes, manifestAt, bitsAt));
    if (hashAt - bitsAt != bitBytes(manifest)) {
      throw new MalformedDataException(
          bitsAt,
          "%d bytes for the bits of %d generations"
              .formatted(hashAt - bitsAt, manifest.generations()));
    }
    BitSet verified = BitSet.valueOf(buffer.slice(bitsAt, hashAt - bitsAt));
    if (verified.length() > manifest.generations()) {
      throw new MalformedDataException(
          hashAt - 1L,
          "generation %d of %d".formatted(verified.length() - 1, manifest.generations()));
    }
    return new ResumeState(manifest, verified);
  }

  private static int bitBytes(ObjectManifest manifest) {
    return (manifest.generations() + 7) / 8;
  }
}
