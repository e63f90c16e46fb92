package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The form of a file with the hashes of files: 8 bytes {@code FSTHASH1}, the number of entries in 4
 * bytes, the entries, and the SHA-256 of everything before. An entry has the path (text), the size,
 * the times of the last modification and of the last change in nanoseconds since 1970 (8 bytes
 * each), the identity in the file system (text), the manifest after its length in 2 bytes, and the
 * hashes of all generations. A text is UTF-8 after its length in 2 bytes.
 */
final class HashFile {

  private static final byte[] MAGIC = "FSTHASH1".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_TEXT_BYTES = 0xFFFF;

  /** The bytes of an entry without its texts, manifest and hashes. */
  private static final int FIXED_BYTES = 3 * Long.BYTES + 3 * Short.BYTES;

  private HashFile() {}

  /**
   * A file as it was when it was hashed.
   *
   * @param path the absolute path
   * @param bytes the size
   * @param modifiedNanos the time of the last modification, in nanoseconds since 1970
   * @param changedNanos the time of the last change of content or attributes; 0 if the file system
   *     has none
   * @param key the identity in the file system, or {@code null} as text
   */
  record Entry(
      String path,
      long bytes,
      long modifiedNanos,
      long changedNanos,
      String key,
      ObjectManifest manifest,
      HashList hashes) {

    /** Returns the bytes of this entry, but for its texts. */
    long size() {
      return FIXED_BYTES + ObjectManifest.MAX_BYTES + (long) hashes.size() * Sha256.BYTES;
    }

    /** Returns true if the texts can be written. */
    boolean isWritable() {
      return isWritable(path) && isWritable(key);
    }

    private static boolean isWritable(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return bytes.length <= MAX_TEXT_BYTES
          && new String(bytes, StandardCharsets.UTF_8).equals(text);
    }
  }

  /** Writes entries. */
  static void write(OutputStream out, Collection<Entry> entries) throws IOException {
    DigestOutputStream digest = new DigestOutputStream(out, Sha256.newDigest());
    DataOutputStream data = new DataOutputStream(new BufferedOutputStream(digest, 1 << 16));
    data.write(MAGIC);
    data.writeInt(entries.size());
    for (Entry entry : entries) {
      writeBytes(data, entry.path.getBytes(StandardCharsets.UTF_8));
      data.writeLong(entry.bytes);
      data.writeLong(entry.modifiedNanos);
      data.writeLong(entry.changedNanos);
      writeBytes(data, entry.key.getBytes(StandardCharsets.UTF_8));
      writeBytes(data, entry.manifest.toBytes());
      entry.hashes.writeTo(data);
    }
    data.flush();
    out.write(digest.getMessageDigest().digest());
  }

  private static void writeBytes(DataOutputStream data, byte[] bytes) throws IOException {
    data.writeShort(bytes.length);
    data.write(bytes);
  }

  /**
   * Reads entries.
   *
   * @param length the bytes of the stream
   * @throws MalformedDataException if they do not have this form
   */
  static List<Entry> read(InputStream in, long length) throws IOException, MalformedDataException {
    DigestInputStream digest =
        new DigestInputStream(new BufferedInputStream(in), Sha256.newDigest());
    DataInputStream data = new DataInputStream(digest);
    try {
      byte[] magic = new byte[MAGIC.length];
      data.readFully(magic);
      if (!Arrays.equals(magic, MAGIC)) {
        throw new MalformedDataException(0, "it does not start \"FSTHASH1\"");
      }
      int count = data.readInt();
      if (count < 0 || count > length / FIXED_BYTES) {
        throw new MalformedDataException(MAGIC.length, count + " entries");
      }
      List<Entry> entries = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        entries.add(entry(data, length));
      }
      byte[] hash = digest.getMessageDigest().digest();
      digest.on(false);
      if (!Arrays.equals(data.readNBytes(hash.length), hash) || data.read() >= 0) {
        throw new MalformedDataException(length - hash.length, "the hash at its end is wrong");
      }
      return entries;
    } catch (EOFException e) {
      throw new MalformedDataException(length, "it ends early");
    }
  }

  private static Entry entry(DataInputStream data, long length)
      throws IOException, MalformedDataException {
    String path = text(data);
    long bytes = data.readLong();
    long modifiedNanos = data.readLong();
    long changedNanos = data.readLong();
    String key = text(data);
    ObjectManifest manifest = ObjectManifest.parse(bytes(data));
    long hashBytes = (long) manifest.generations() * Sha256.BYTES;
    if (manifest.length() != bytes || hashBytes > length) {
      throw new MalformedDataException(0, "the manifest of '%s' is wrong".formatted(path));
    }
    HashList hashes = new HashList(manifest.generations());
    hashes.readFrom(data);
    return new Entry(path, bytes, modifiedNanos, changedNanos, key, manifest, hashes);
  }

  private static String text(DataInputStream data) throws IOException, MalformedDataException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(data))).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedDataException(0, "a text is not UTF-8");
    }
  }

  private static byte[] bytes(DataInputStream data) throws IOException {
    byte[] bytes = new byte[data.readUnsignedShort()];
    data.readFully(bytes);
    return bytes;
  }
}
