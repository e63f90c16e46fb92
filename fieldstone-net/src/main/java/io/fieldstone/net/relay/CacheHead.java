package io.fieldstone.net.relay;

import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The head of an object in the {@link DiskCache}: 8 bytes {@code FSTCACH1}, the name and the
 * manifest, each after its length in 2 bytes, and the hashes of all generations.
 *
 * @param name the name of the object
 * @param manifest the object
 * @param hashes the hashes of its generations, which {@link #parse} does not check
 */
record CacheHead(String name, ObjectManifest manifest, List<Sha256> hashes) {

  private static final byte[] MAGIC = "FSTCACH1".getBytes(StandardCharsets.US_ASCII);

  /** Returns the head of an object. */
  static CacheHead of(String name, GenerationHashes hashes) {
    return new CacheHead(name, hashes.manifest(), hashes.all());
  }

  /** Returns the bytes of the file. */
  byte[] toBytes() {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] manifestBytes = manifest.toBytes();
    int headBytes = MAGIC.length + 2 * Short.BYTES + nameBytes.length + manifestBytes.length;
    ByteBuffer out =
        ByteBuffer.allocate(
            Math.addExact(headBytes, Math.multiplyExact(hashes.size(), Sha256.BYTES)));
    out.put(MAGIC).putShort((short) nameBytes.length).put(nameBytes);
    out.putShort((short) manifestBytes.length).put(manifestBytes);
    hashes.forEach(hash -> hash.writeTo(out));
    return out.array();
  }

  /**
   * Parses a file.
   *
   * @throws MalformedDataException if it does not have this form
   */
  static CacheHead parse(byte[] file) throws MalformedDataException {
    ByteBuffer in = ByteBuffer.wrap(file);
    if (file.length < MAGIC.length
        || !Arrays.equals(MAGIC, 0, MAGIC.length, file, 0, MAGIC.length)) {
      throw new MalformedDataException(0, "it does not start \"FSTCACH1\"");
    }
    in.position(MAGIC.length);
    int nameAt = in.position();
    byte[] nameBytes = bytes(in);
    ObjectManifest manifest = ObjectManifest.parse(bytes(in));
    String name;
    try {
      name = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(nameBytes)).toString();
      name = new CatalogueEntry(name, manifest.length(), manifest.id()).name();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new MalformedDataException(nameAt, "the name is not valid");
    }
    if (in.remaining() != (long) manifest.generations() * Sha256.BYTES) {
      throw new MalformedDataException(
          in.position(),
          "%d bytes for the hashes of %d generations"
              .formatted(in.remaining(), manifest.generations()));
    }
    HashList hashes = new HashList(manifest.generations());
    for (int i = 0; i < hashes.size(); i++) {
      Sha256 _ = hashes.set(i, Sha256.read(in));
    }
    return new CacheHead(name, manifest, hashes);
  }

  private static byte[] bytes(ByteBuffer in) throws MalformedDataException {
    int length = in.remaining() < Short.BYTES ? -1 : in.getShort() & 0xFFFF;
    if (length < 0 || length > in.remaining()) {
      throw new MalformedDataException(in.position(), "it ends early");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
