package io.fieldstone.net.relay;

import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The head of an object in the {@link DiskCache}: 8 bytes {@code FSTCACH2}; the name and the
 * manifest, each after its length in 2 bytes; the number of publisher records in 1 byte, and their
 * public keys and signatures; and the hashes of all generations.
 *
 * @param entry the name, the length and the id of the object, and the records of publishers, which
 *     {@link #parse} does not verify
 * @param manifest the object
 * @param hashes the hashes of its generations, which {@link #parse} does not check
 */
record CacheHead(CatalogueEntry entry, ObjectManifest manifest, List<Sha256> hashes) {

  private static final byte[] MAGIC = "FSTCACH2".getBytes(StandardCharsets.US_ASCII);
  private static final int RECORD_BYTES = PublisherKey.BYTES + PublisherRecord.SIGNATURE_BYTES;

  /** Returns the head of an object with the name and the records of an entry. */
  static CacheHead of(CatalogueEntry entry, GenerationHashes hashes) {
    ObjectManifest manifest = hashes.manifest();
    return new CacheHead(
        new CatalogueEntry(entry.name(), manifest.length(), manifest.id(), 0, entry.records()),
        manifest,
        hashes.all());
  }

  /** Returns this head with the records of an entry of the same name added. */
  CacheHead withRecordsOf(CatalogueEntry other) {
    if (!other.name().equals(entry.name())) {
      return this;
    }
    List<PublisherRecord> all = RelayCatalogue.union(entry.records(), other.records());
    return new CacheHead(entry.withRecords(all), manifest, hashes);
  }

  /** Returns the bytes of the file. */
  byte[] toBytes() {
    byte[] nameBytes = entry.name().getBytes(StandardCharsets.UTF_8);
    byte[] manifestBytes = manifest.toBytes();
    int recordBytes = 1 + RECORD_BYTES * entry.records().size();
    int headBytes =
        MAGIC.length + 2 * Short.BYTES + nameBytes.length + manifestBytes.length + recordBytes;
    ByteBuffer out =
        ByteBuffer.allocate(
            Math.addExact(headBytes, Math.multiplyExact(hashes.size(), Sha256.BYTES)));
    out.put(MAGIC).putShort((short) nameBytes.length).put(nameBytes);
    out.putShort((short) manifestBytes.length).put(manifestBytes);
    out.put((byte) entry.records().size());
    entry.records().forEach(each -> out.put(each.publisher().bytes()).put(each.signature()));
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
      throw new MalformedDataException(0, "it does not start \"FSTCACH2\"");
    }
    in.position(MAGIC.length);
    int nameAt = in.position();
    byte[] nameBytes = bytes(in);
    ObjectManifest manifest = ObjectManifest.parse(bytes(in));
    CatalogueEntry entry = entry(nameAt, nameBytes, manifest, in);
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
    return new CacheHead(entry, manifest, hashes);
  }

  private static CatalogueEntry entry(
      int nameAt, byte[] nameBytes, ObjectManifest manifest, ByteBuffer in)
      throws MalformedDataException {
    int count = in.hasRemaining() ? in.get() & 0xFF : -1;
    if (count < 0 || in.remaining() < count * RECORD_BYTES) {
      throw new MalformedDataException(in.position(), "it ends early");
    }
    Sha256 id = manifest.id();
    List<PublisherRecord> records = new ArrayList<>();
    try {
      String name =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(nameBytes)).toString();
      for (int i = 0; i < count; i++) {
        PublisherKey publisher = PublisherKey.of(bytes(in, PublisherKey.BYTES));
        byte[] signature = bytes(in, PublisherRecord.SIGNATURE_BYTES);
        records.add(PublisherRecord.of(name, id, publisher, signature));
      }
      return new CatalogueEntry(name, manifest.length(), id, 0, records);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new MalformedDataException(nameAt, "the name or its records are not valid");
    }
  }

  private static byte[] bytes(ByteBuffer in) throws MalformedDataException {
    int length = in.remaining() < Short.BYTES ? -1 : in.getShort() & 0xFFFF;
    if (length < 0 || length > in.remaining()) {
      throw new MalformedDataException(in.position(), "it ends early");
    }
    return bytes(in, length);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
