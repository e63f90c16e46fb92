package io.fieldstone.rlnc.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The description of a set of files and its parity (docs/format.md, "Sets"): names, lengths, times
 * and modes, shape, the hash of every block, and the CRC-32 of every piece. Immutable and
 * thread-safe.
 */
public final class SetManifest {

  /** The maximum bytes of a manifest. */
  public static final int MAX_BYTES = 1 << 28;

  /** "FSTSET", 0, 3. */
  private static final long MAGIC = 0x4653_5453_4554_0003L;

  private static final int FIELD_AT = 8;
  private static final int CODE_AT = 9;
  private static final int VOLUMES_AT = 10;
  private static final int BLOCKS_AT = 12;
  private static final int BLOCK_SIZE_AT = 16;
  private static final int PARITY_AT = 20;
  private static final int GENERATIONS_AT = 24;
  private static final int FILE_COUNT_AT = 28;
  private static final int SOURCE_BLOCKS_AT = 32;
  private static final int RESERVED_AT = 36;
  private static final int FILES_AT = 40;

  /** The bytes of a file besides its path. */
  private static final int FILE_BYTES = Long.BYTES + Long.BYTES + Short.BYTES + Short.BYTES;

  /** The bytes of the hash of a piece in a block with several. */
  public static final int MARK_BYTES = 16;

  private static final int FIELD = 1;
  private static final int CODE = 5;

  private final SetShape shape;
  private final List<SetFile> files;
  private final SetLayout layout;

  /** The hashes of the source blocks, then of the parity blocks: row by row. */
  private final byte[] hashes;

  /** The CRC-32 of each piece. */
  private final int[] sums;

  /** The first {@value #MARK_BYTES} bytes of the hash of each piece in a shared block. */
  private final byte[] marks;

  /**
   * Creates a manifest.
   *
   * @param shape fits the source blocks: d generations of n or n − 1
   * @param files in ascending order of the bytes of their paths
   * @param hashes 32 bytes for each source block, then for each parity block p of generation g in
   *     the order p·d + g; not copied
   * @param sums the CRC-32 of each piece, with zeros up to k bytes; not copied
   * @param marks for each piece in a shared block, the first {@value #MARK_BYTES} bytes of the hash
   *     of the piece, with zeros up to k bytes; not copied
   * @throws IllegalArgumentException if the numbers or the order do not agree
   */
  public SetManifest(SetShape shape, List<SetFile> files, byte[] hashes, int[] sums, byte[] marks) {
    this.shape = shape;
    this.files = List.copyOf(files);
    this.layout = requireFits(shape, this.files);
    this.hashes = hashes;
    this.sums = sums;
    this.marks = marks;
    long blocks = (long) layout.blocks() + shape.parityBlocks();
    if (hashes.length != blocks * Sha256.BYTES) {
      throw new IllegalArgumentException(
          "%d bytes of hashes for %d blocks".formatted(hashes.length, blocks));
    }
    if (sums.length != layout.pieces()) {
      throw new IllegalArgumentException(
          "%d checksums for %d pieces".formatted(sums.length, layout.pieces()));
    }
    if (marks.length != (long) layout.sharedPieces() * MARK_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes of marks for %d pieces".formatted(marks.length, layout.sharedPieces()));
    }
  }

  private static SetLayout requireFits(SetShape shape, List<SetFile> files) {
    byte[] last = new byte[0];
    for (SetFile file : files) {
      byte[] path = file.path().getBytes(StandardCharsets.UTF_8);
      if (last.length > 0 && Arrays.compareUnsigned(last, path) >= 0) {
        throw new IllegalArgumentException("'" + file.path() + "' is not in ascending order");
      }
      last = path;
    }
    SetLayout layout = new SetLayout(files, shape.blockSize());
    long blocks = layout.blocks();
    int generations = shape.generations();
    long fitting = generations == 0 ? 0 : Math.ceilDiv(blocks, generations);
    if (fitting != shape.blocks() || (generations == 0 && blocks > 0)) {
      throw new IllegalArgumentException(
          "%d source blocks are not %d generations of %d"
              .formatted(blocks, generations, shape.blocks()));
    }
    return layout;
  }

  /** Returns the bytes of a manifest. */
  public static long byteSize(SetShape shape, List<SetFile> files) {
    long bytes = FILES_AT + (long) shape.parityBlocks() * Sha256.BYTES;
    for (SetFile file : files) {
      bytes += FILE_BYTES + file.path().getBytes(StandardCharsets.UTF_8).length;
    }
    SetLayout layout = new SetLayout(files, shape.blockSize());
    return bytes
        + (long) layout.blocks() * Sha256.BYTES
        + (long) layout.pieces() * Integer.BYTES
        + (long) layout.sharedPieces() * MARK_BYTES;
  }

  /**
   * Parses a manifest.
   *
   * @throws MalformedDataException if it is not a manifest, or not the only encoding of one
   */
  public static SetManifest parse(byte[] bytes) throws MalformedDataException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length < FILES_AT || buffer.getLong(0) != MAGIC) {
      throw new MalformedDataException(0, "not a manifest of a set of version 3");
    }
    require(buffer.get(FIELD_AT) == FIELD, FIELD_AT, "unknown field " + buffer.get(FIELD_AT));
    require(buffer.get(CODE_AT) == CODE, CODE_AT, "unknown code " + buffer.get(CODE_AT));
    require(buffer.getInt(RESERVED_AT) == 0, RESERVED_AT, "a reserved byte is not zero");
    SetShape shape = shape(buffer);
    List<SetFile> files = files(buffer, bytes.length);
    SetManifest manifest;
    try {
      SetLayout layout = requireFits(shape, files);
      int at = buffer.position();
      long marksAt = bytes.length - (long) layout.sharedPieces() * MARK_BYTES;
      int marksEnd = (int) Math.max(at, marksAt);
      int hashesEnd = (int) Math.max(at, marksAt - (long) layout.pieces() * Integer.BYTES);
      byte[] hashes = Arrays.copyOfRange(bytes, at, hashesEnd);
      int[] sums = ints(buffer.position(hashesEnd).limit(marksEnd));
      byte[] marks = Arrays.copyOfRange(bytes, marksEnd, bytes.length);
      manifest = new SetManifest(shape, files, hashes, sums, marks);
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(FILES_AT, String.valueOf(e.getMessage()));
    }
    require(
        buffer.getInt(SOURCE_BLOCKS_AT) == manifest.sourceBlocks(),
        SOURCE_BLOCKS_AT,
        "%d source blocks, not %d"
            .formatted(buffer.getInt(SOURCE_BLOCKS_AT), manifest.sourceBlocks()));
    require(
        Arrays.equals(bytes, manifest.toBytes()), FILES_AT, "a path is not in its only encoding");
    return manifest;
  }

  /** Reads the remaining bytes as numbers. */
  private static int[] ints(ByteBuffer buffer) {
    int[] values = new int[buffer.remaining() / Integer.BYTES];
    buffer.asIntBuffer().get(values);
    return values;
  }

  private static SetShape shape(ByteBuffer buffer) throws MalformedDataException {
    try {
      return new SetShape(
          buffer.getInt(BLOCK_SIZE_AT),
          buffer.getInt(BLOCKS_AT),
          buffer.getInt(PARITY_AT),
          buffer.getInt(GENERATIONS_AT),
          Short.toUnsignedInt(buffer.getShort(VOLUMES_AT)));
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(VOLUMES_AT, String.valueOf(e.getMessage()));
    }
  }

  /** Reads the files; the position of the buffer is then that of the hashes. */
  private static List<SetFile> files(ByteBuffer buffer, int length) throws MalformedDataException {
    int count = buffer.getInt(FILE_COUNT_AT);
    require(
        count >= 0 && count <= (length - FILES_AT) / FILE_BYTES,
        FILE_COUNT_AT,
        Integer.toUnsignedLong(count) + " files do not fit in " + length + " bytes");
    List<SetFile> files = new ArrayList<>();
    buffer.position(FILES_AT);
    for (int i = 0; i < count; i++) {
      int at = buffer.position();
      try {
        long bytes = buffer.getLong();
        long modifiedNs = buffer.getLong();
        int mode = Short.toUnsignedInt(buffer.getShort());
        byte[] path = new byte[Short.toUnsignedInt(buffer.getShort())];
        buffer.get(path);
        files.add(new SetFile(new String(path, StandardCharsets.UTF_8), bytes, modifiedNs, mode));
      } catch (BufferUnderflowException e) {
        throw new MalformedDataException(at, "the manifest ends inside a file's name");
      } catch (IllegalArgumentException e) {
        throw new MalformedDataException(at, String.valueOf(e.getMessage()));
      }
    }
    return files;
  }

  private static void require(boolean isValid, int offset, String problem)
      throws MalformedDataException {
    if (!isValid) {
      throw new MalformedDataException(offset, problem);
    }
  }

  /** Returns the bytes of the manifest. */
  public byte[] toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(byteSize(shape, files)));
    buffer
        .putLong(MAGIC)
        .put((byte) FIELD)
        .put((byte) CODE)
        .putShort((short) shape.volumes())
        .putInt(shape.blocks())
        .putInt(shape.blockSize())
        .putInt(shape.parity())
        .putInt(shape.generations())
        .putInt(files.size())
        .putInt(sourceBlocks())
        .putInt(0);
    for (SetFile file : files) {
      byte[] path = file.path().getBytes(StandardCharsets.UTF_8);
      buffer
          .putLong(file.length())
          .putLong(file.modifiedNs())
          .putShort((short) file.mode())
          .putShort((short) path.length)
          .put(path);
    }
    buffer.put(hashes).asIntBuffer().put(sums);
    buffer.put(buffer.capacity() - marks.length, marks);
    return buffer.array();
  }

  /** Returns the id of the set: SHA-256 of the manifest. */
  public Sha256 id() {
    return Sha256.hash(ByteBuffer.wrap(toBytes()));
  }

  /** Returns the numbers of the set. */
  public SetShape shape() {
    return shape;
  }

  /** Returns the files in the order of their blocks. */
  public List<SetFile> files() {
    return files;
  }

  /** Returns the number of source blocks. */
  public int sourceBlocks() {
    return layout.blocks();
  }

  /** Returns the division of the files into blocks. */
  public SetLayout layout() {
    return layout;
  }

  /** Returns the total bytes of the files. */
  public long length() {
    return files.stream().mapToLong(SetFile::length).sum();
  }

  /**
   * Returns the hash of a block ({@link HashTree#leaf}).
   *
   * @param block a source block, or a parity block: the number of source blocks + p·d + g
   */
  public Sha256 hash(int block) {
    return Sha256.read(ByteBuffer.wrap(hashes, block * Sha256.BYTES, Sha256.BYTES));
  }

  /** Returns the CRC-32 of a piece, with zeros up to k bytes. */
  public int sum(int piece) {
    return sums[piece];
  }

  /**
   * Returns what identifies a piece: the hash of a block that is one piece, else the mark, in the
   * first {@value #MARK_BYTES} bytes, and zeros.
   */
  public Sha256 mark(int piece) {
    int block = layout.blockOf(piece);
    return layout.isShared(block)
        ? truncated(marks, layout.sharedIndex(piece, block) * MARK_BYTES)
        : hash(block);
  }

  /** Returns true if a piece, with zeros up to k bytes, may have a hash. */
  public boolean isPiece(int piece, Sha256 leaf) {
    return layout.isShared(layout.blockOf(piece))
        ? mark(piece).equals(new Sha256(leaf.word0(), leaf.word1(), 0, 0))
        : mark(piece).equals(leaf);
  }

  private static Sha256 truncated(byte[] marks, int at) {
    ByteBuffer mark = ByteBuffer.wrap(marks, at, MARK_BYTES);
    return new Sha256(mark.getLong(), mark.getLong(), 0, 0);
  }
}
