package io.fieldstone.rlnc.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The description of a set of files and its parity (docs/format.md, "Sets"): names, lengths, times
 * and modes, shape, the hash of every block, and the CRC-32 of every piece. Immutable and
 * thread-safe.
 */
public final class SetManifest {

  /** The maximum bytes of a manifest. */
  public static final int MAX_BYTES = 1 << 28;

  /** "FSTSET", 0, 3: a first layer. */
  private static final long MAGIC = 0x4653_5453_4554_0003L;

  /** "FSTSET", 0, 4: an update, with the list of the earlier layers. */
  private static final long UPDATE_MAGIC = 0x4653_5453_4554_0004L;

  /** The maximum number of earlier layers. */
  public static final int MAX_LAYERS = 1 << 10;

  private static final int FIELD_AT = 8;
  private static final int CODE_AT = 9;
  private static final int VOLUMES_AT = 10;
  private static final int BLOCKS_AT = 12;
  private static final int BLOCK_SIZE_AT = 16;
  private static final int PARITY_AT = 20;
  private static final int GENERATIONS_AT = 24;
  private static final int FILE_COUNT_AT = 28;
  private static final int SOURCE_BLOCKS_AT = 32;
  private static final int UPDATE_AT = 36;
  private static final int FILES_AT = 40;

  /** The bytes of a file besides its path. */
  private static final int FILE_BYTES = Long.BYTES + Long.BYTES + Short.BYTES + Short.BYTES;

  /** The bytes of the hash of a piece in a block with several. */
  public static final int MARK_BYTES = 16;

  /** Stands for all files of a layer, without their numbers. */
  private static final int ALL = -1;

  private static final int FIELD = 1;
  private static final int CODE = 5;

  private final SetShape shape;
  private final int update;
  private final List<SetLayer> earlier;
  private final List<SetFile> files;
  private final SetLayout layout;

  /** The hashes of the source blocks, then of the parity blocks: row by row. */
  private final byte[] hashes;

  /** The CRC-32 of each piece. */
  private final int[] sums;

  /** The first {@value #MARK_BYTES} bytes of the hash of each piece in a shared block. */
  private final byte[] marks;

  /**
   * Creates the manifest of a first layer, as {@link #SetManifest(SetShape, int, List, List,
   * byte[], int[], byte[])} does.
   *
   * @throws IllegalArgumentException if the numbers or the order do not agree
   */
  public SetManifest(SetShape shape, List<SetFile> files, byte[] hashes, int[] sums, byte[] marks) {
    this(shape, 0, List.of(), files, hashes, sums, marks);
  }

  /**
   * Creates a manifest.
   *
   * @param shape fits the source blocks: d generations of n or n − 1
   * @param update the number of the update; 0 for a first layer
   * @param earlier the earlier layers in ascending order of their updates; none of a first layer
   * @param files in ascending order of the bytes of their paths
   * @param hashes 32 bytes for each source block, then for each parity block p of generation g in
   *     the order p·d + g; not copied
   * @param sums the CRC-32 of each piece, with zeros up to k bytes; not copied
   * @param marks for each piece in a shared block, the first {@value #MARK_BYTES} bytes of the hash
   *     of the piece, with zeros up to k bytes; not copied
   * @throws IllegalArgumentException if the numbers or the order do not agree
   */
  public SetManifest(
      SetShape shape,
      int update,
      List<SetLayer> earlier,
      List<SetFile> files,
      byte[] hashes,
      int[] sums,
      byte[] marks) {
    this.shape = shape;
    this.update = update;
    this.earlier = List.copyOf(earlier);
    requireAscending(update, this.earlier);
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

  private static void requireAscending(int update, List<SetLayer> earlier) {
    int last = -1;
    for (SetLayer layer : earlier) {
      if (layer.update() <= last) {
        throw new IllegalArgumentException(
            "update %d follows update %d".formatted(layer.update(), last));
      }
      last = layer.update();
    }
    if (update <= last || earlier.size() > MAX_LAYERS) {
      throw new IllegalArgumentException(
          "update %d follows %d layers, the last one update %d"
              .formatted(update, earlier.size(), last));
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

  /** Returns the bytes of the manifest of an update. */
  public static long byteSize(SetShape shape, List<SetLayer> earlier, List<SetFile> files) {
    return byteSize(shape, files)
        + Integer.BYTES
        + earlier.stream().mapToLong(SetLayer::bytes).sum();
  }

  /** Returns the bytes of the manifest of a first layer. */
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
    boolean isUpdate = bytes.length >= FILES_AT && buffer.getLong(0) == UPDATE_MAGIC;
    if (bytes.length < FILES_AT || buffer.getLong(0) != MAGIC && !isUpdate) {
      throw new MalformedDataException(0, "not a manifest of a set of version 3 or 4");
    }
    require(buffer.get(FIELD_AT) == FIELD, FIELD_AT, "unknown field " + buffer.get(FIELD_AT));
    require(buffer.get(CODE_AT) == CODE, CODE_AT, "unknown code " + buffer.get(CODE_AT));
    int update = buffer.getInt(UPDATE_AT);
    require(update > 0 == isUpdate, UPDATE_AT, "number %d of an update".formatted(update));
    SetShape shape = shape(buffer);
    buffer.position(FILES_AT);
    List<SetLayer> earlier = isUpdate ? layers(buffer) : List.of();
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
      manifest = new SetManifest(shape, update, earlier, files, hashes, sums, marks);
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

  /** Reads the earlier layers. */
  private static List<SetLayer> layers(ByteBuffer buffer) throws MalformedDataException {
    List<SetLayer> layers = new ArrayList<>();
    int at = buffer.position();
    try {
      int count = buffer.getInt();
      require(count >= 0 && count <= MAX_LAYERS, at, count + " layers");
      for (int i = 0; i < count; i++) {
        at = buffer.position();
        Sha256 id = Sha256.read(buffer);
        int update = buffer.getInt();
        int files = buffer.getInt();
        int retiredFiles = buffer.getInt();
        require(
            files >= 0
                && files <= MAX_BYTES / FILE_BYTES
                && retiredFiles >= ALL
                && retiredFiles <= Math.min(files, buffer.remaining() / Integer.BYTES),
            at,
            "%d files of an earlier layer, %d of them retired".formatted(files, retiredFiles));
        BitSet retired = new BitSet();
        retired.set(0, retiredFiles == ALL ? files : 0);
        for (int file = 0; file < retiredFiles; file++) {
          int number = buffer.getInt();
          require(
              number >= retired.length() && number < files,
              at,
              "retired file %d is not in order, or not of the layer".formatted(number));
          retired.set(number);
        }
        layers.add(new SetLayer(id, update, files, retired));
      }
    } catch (BufferUnderflowException e) {
      throw new MalformedDataException(at, "the manifest ends inside the list of layers");
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(at, String.valueOf(e.getMessage()));
    }
    return layers;
  }

  /** Reads the files; the position of the buffer is then that of the hashes. */
  private static List<SetFile> files(ByteBuffer buffer, int length) throws MalformedDataException {
    int count = buffer.getInt(FILE_COUNT_AT);
    require(
        count >= 0 && count <= (length - FILES_AT) / FILE_BYTES,
        FILE_COUNT_AT,
        Integer.toUnsignedLong(count) + " files do not fit in " + length + " bytes");
    List<SetFile> files = new ArrayList<>();
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
    long bytes = update == 0 ? byteSize(shape, files) : byteSize(shape, earlier, files);
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes));
    buffer
        .putLong(update == 0 ? MAGIC : UPDATE_MAGIC)
        .put((byte) FIELD)
        .put((byte) CODE)
        .putShort((short) shape.volumes())
        .putInt(shape.blocks())
        .putInt(shape.blockSize())
        .putInt(shape.parity())
        .putInt(shape.generations())
        .putInt(files.size())
        .putInt(sourceBlocks())
        .putInt(update);
    if (update > 0) {
      buffer.putInt(earlier.size());
      for (SetLayer layer : earlier) {
        layer.id().writeTo(buffer);
        BitSet retired = layer.retired();
        buffer.putInt(layer.update()).putInt(layer.files());
        buffer.putInt(layer.isRetired() ? ALL : retired.cardinality());
        if (!layer.isRetired()) {
          retired.stream().forEach(buffer::putInt);
        }
      }
    }
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

  /** Returns the id of the set or of its layer: SHA-256 of the manifest. */
  public Sha256 id() {
    return Sha256.hash(ByteBuffer.wrap(toBytes()));
  }

  /** Returns the numbers of the set. */
  public SetShape shape() {
    return shape;
  }

  /** Returns the number of the update; 0 for a first layer. */
  public int update() {
    return update;
  }

  /** Returns the earlier layers of the set, in ascending order; none of a first layer. */
  public List<SetLayer> earlier() {
    return earlier;
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
