package io.fieldstone.net.relay;

import io.fieldstone.net.catalogue.HashList;
import io.fieldstone.net.endpoint.CatalogueEntry;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The head of an object in the {@link DiskCache}: 8 bytes {@code FSTCACH6}; the first name and the
 * manifest, each after its length in 2 bytes; the number of publisher records of this name in 1
 * byte, and their public keys, times and signatures; and the hashes of all generations.
 *
 * <p>If the object has several names, the first bytes are {@code FSTCACH7}. The number of other
 * names in 1 byte is before the hashes; then each name after its length, and its records as above.
 *
 * @param entries for each name the length and the id of the object, and the records of publishers,
 *     which {@link #parse} does not verify; at least one
 * @param manifest the object
 * @param hashes the hashes of its generations, which {@link #parse} does not check
 */
record CacheHead(List<CatalogueEntry> entries, ObjectManifest manifest, List<Sha256> hashes) {

  /** The maximum number of names that are kept. */
  static final int MAX_NAMES = 16;

  private static final byte[] ONE_NAME = "FSTCACH6".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NAMES = "FSTCACH7".getBytes(StandardCharsets.US_ASCII);
  private static final int RECORD_BYTES =
      PublisherKey.BYTES + Long.BYTES + PublisherRecord.SIGNATURE_BYTES;

  CacheHead {
    entries = List.copyOf(entries);
  }

  /** Returns the head of an object with the names and the records of entries. */
  static CacheHead of(List<CatalogueEntry> entries, GenerationHashes hashes) {
    return new CacheHead(List.of(), hashes.manifest(), hashes.all()).with(entries);
  }

  /** Returns this head with names and records added, of which it keeps a bounded number. */
  CacheHead with(List<CatalogueEntry> added) {
    Map<String, CatalogueEntry> all = new LinkedHashMap<>();
    entries.forEach(entry -> all.put(entry.name(), entry));
    for (CatalogueEntry other : added) {
      CatalogueEntry known = all.get(other.name());
      if (known != null) {
        List<PublisherRecord> records = RelayCatalogue.union(known.records(), other.records());
        all.put(other.name(), known.withRecords(records));
      } else if (all.size() < MAX_NAMES) {
        all.put(
            other.name(),
            new CatalogueEntry(other.name(), manifest.length(), manifest.id(), 0, other.records()));
      }
    }
    return new CacheHead(List.copyOf(all.values()), manifest, hashes);
  }

  /** Returns the bytes of the file. */
  byte[] toBytes() {
    CatalogueEntry first = entries.getFirst();
    List<CatalogueEntry> further = entries.subList(1, entries.size());
    byte[] manifestBytes = manifest.toBytes();
    int headBytes = ONE_NAME.length + Short.BYTES + manifestBytes.length + byteSize(first);
    headBytes += further.isEmpty() ? 0 : 1;
    for (CatalogueEntry other : further) {
      headBytes += byteSize(other);
    }
    ByteBuffer out =
        ByteBuffer.allocate(
            Math.addExact(headBytes, Math.multiplyExact(hashes.size(), Sha256.BYTES)));
    out.put(further.isEmpty() ? ONE_NAME : NAMES);
    putName(first, out);
    out.putShort((short) manifestBytes.length).put(manifestBytes);
    putRecords(first, out);
    if (!further.isEmpty()) {
      out.put((byte) further.size());
    }
    for (CatalogueEntry other : further) {
      putName(other, out);
      putRecords(other, out);
    }
    hashes.forEach(hash -> hash.writeTo(out));
    return out.array();
  }

  /** Returns the bytes of a name and its records. */
  private static int byteSize(CatalogueEntry entry) {
    int nameBytes = entry.name().getBytes(StandardCharsets.UTF_8).length;
    return Short.BYTES + nameBytes + 1 + RECORD_BYTES * entry.records().size();
  }

  private static void putName(CatalogueEntry entry, ByteBuffer out) {
    byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
    out.putShort((short) name.length).put(name);
  }

  private static void putRecords(CatalogueEntry entry, ByteBuffer out) {
    out.put((byte) entry.records().size());
    for (PublisherRecord each : entry.records()) {
      out.put(each.publisher().bytes()).putLong(each.seconds()).put(each.signature());
    }
  }

  /**
   * Parses a file.
   *
   * @throws MalformedDataException if it does not have this form
   */
  static CacheHead parse(byte[] file) throws MalformedDataException {
    ByteBuffer in = ByteBuffer.wrap(file);
    boolean hasOthers = startsWith(file, NAMES);
    if (!hasOthers && !startsWith(file, ONE_NAME)) {
      throw new MalformedDataException(0, "it starts neither \"FSTCACH6\" nor \"FSTCACH7\"");
    }
    in.position(ONE_NAME.length);
    int nameAt = in.position();
    byte[] nameBytes = bytes(in);
    ObjectManifest manifest = ObjectManifest.parse(bytes(in));
    List<CatalogueEntry> entries = new ArrayList<>();
    entries.add(entry(nameAt, nameBytes, manifest, in));
    if (hasOthers) {
      addOthers(entries, manifest, in);
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
    return new CacheHead(entries, manifest, hashes);
  }

  private static boolean startsWith(byte[] file, byte[] magic) {
    return file.length >= magic.length
        && Arrays.equals(magic, 0, magic.length, file, 0, magic.length);
  }

  private static void addOthers(
      List<CatalogueEntry> entries, ObjectManifest manifest, ByteBuffer in)
      throws MalformedDataException {
    int count = in.hasRemaining() ? in.get() & 0xFF : -1;
    if (count < 1 || count >= MAX_NAMES) {
      throw new MalformedDataException(in.position(), count + " other names");
    }
    Set<String> names = new HashSet<>();
    names.add(entries.getFirst().name());
    for (int i = 0; i < count; i++) {
      int nameAt = in.position();
      CatalogueEntry entry = entry(nameAt, bytes(in), manifest, in);
      if (!names.add(entry.name())) {
        throw new MalformedDataException(nameAt, "a name comes twice");
      }
      entries.add(entry);
    }
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
        long seconds = in.getLong();
        byte[] signature = bytes(in, PublisherRecord.SIGNATURE_BYTES);
        records.add(PublisherRecord.of(name, id, publisher, seconds, signature));
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
