package io.fieldstone.rlnc.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A page of a volume with a part of the manifest of its set (docs/format.md, "Sets"). Each volume
 * has all pages, so that intact pages of several volumes form a manifest.
 *
 * @param set the id of the set
 * @param number the number of the page, 0 … pages − 1
 * @param pages the number of pages
 * @param manifestBytes the length of the manifest
 * @param volume the number of the volume
 * @param part the part of the manifest, from index 0 to the limit: {@value #PART_BYTES} bytes or
 *     the rest; not copied
 */
public record ManifestPage(
    Sha256 set, int number, int pages, int manifestBytes, int volume, ByteBuffer part) {

  /** The bytes of a page. */
  public static final int BYTES = 4096;

  /** The bytes of the manifest in a page. */
  public static final int PART_BYTES = BYTES - 64;

  /** "FSTPAGE", 1. */
  private static final long MAGIC = 0x4653_5450_4147_4501L;

  private static final int CRC_AT = 60;
  private static final int PART_AT = 64;

  /** Returns the number of pages of a manifest. */
  public static int pagesOf(long manifestBytes) {
    return Math.toIntExact(Math.ceilDiv(manifestBytes, PART_BYTES));
  }

  /** Returns a page of a manifest. */
  public static ManifestPage of(Sha256 set, byte[] manifest, int number, int volume) {
    int from = number * PART_BYTES;
    ByteBuffer part =
        ByteBuffer.wrap(manifest, from, Math.min(manifest.length - from, PART_BYTES)).slice();
    return new ManifestPage(set, number, pagesOf(manifest.length), manifest.length, volume, part);
  }

  /** Returns the page in {@value #BYTES} bytes; empty if they are damaged or no page. */
  public static Optional<ManifestPage> parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length != BYTES
        || buffer.getLong(0) != MAGIC
        || buffer.getInt(CRC_AT) != crc(bytes)) {
      return Optional.empty();
    }
    Sha256 set = Sha256.read(buffer.position(Long.BYTES));
    int number = buffer.getInt();
    int pages = buffer.getInt();
    int length = buffer.getInt();
    int volume = buffer.getInt();
    boolean isValid =
        length > 0
            && length <= SetManifest.MAX_BYTES
            && pages == pagesOf(length)
            && number >= 0
            && number < pages
            && volume >= 0
            && buffer.getInt() == 0;
    if (!isValid) {
      return Optional.empty();
    }
    int end = PART_AT + Math.min(PART_BYTES, length - number * PART_BYTES);
    ManifestPage page =
        new ManifestPage(
            set,
            number,
            pages,
            length,
            volume,
            ByteBuffer.wrap(bytes, PART_AT, end - PART_AT).slice());
    return Arrays.equals(page.toBytes(), bytes) ? Optional.of(page) : Optional.empty();
  }

  /** Returns the bytes of the page. */
  public byte[] toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES).putLong(MAGIC);
    set.writeTo(buffer);
    buffer.putInt(number).putInt(pages).putInt(manifestBytes).putInt(volume);
    buffer.put(PART_AT, part, 0, part.limit());
    return buffer.putInt(CRC_AT, crc(buffer.array())).array();
  }

  private static int crc(byte[] page) {
    CRC32C crc = new CRC32C();
    crc.update(page, 0, CRC_AT);
    crc.update(page, PART_AT, BYTES - PART_AT);
    return (int) crc.getValue();
  }
}
