package io.fieldstone.relays;

import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.stream.file.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads a file of 3-stars: sensors by cell, segment and local number, as the paper compresses them
 * (III-C), with one bit for each pair of candidates. The format is in docs/relays.md.
 *
 * <p>For one thread; the caller closes it. Contents are checked: a truncated or damaged file causes
 * an exception, possibly after some stars were visited.
 */
public final class StarFile implements AutoCloseable {

  /** "FSSTARS1" as a little-endian number. */
  static final long MAGIC = 0x3153_5241_5453_5346L;

  static final int HEADER_BYTES = 3 * Long.BYTES + 3 * Integer.BYTES;
  static final int CELL_BYTES = 3 * Integer.BYTES;

  /** The bytes of a run: its length, cell and segment. */
  static final int RUN_BYTES = Short.BYTES + Integer.BYTES + Short.BYTES;

  /** The sensors of a segment of a cell, which a local number of one byte can distinguish. */
  static final int SEGMENT_POINTS = 256;

  /** The cell number at the end of a list. */
  static final int END = -1;

  private static final int CIRCUMCIRCLE = 1;
  private static final int ENCLOSING_CIRCLE = 2;
  private static final int BUFFER = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C check = new CRC32C();
  private long bufferOffset;
  private final double range;
  private final double side;
  private final StarRule rule;
  private final int[] starts;
  private final int[] sensors;
  private boolean read;

  private StarFile(Path file, FileChannel channel) throws IOException, MalformedStarFileException {
    this.file = file;
    this.channel = channel;
    buffer.limit(0);
    if (channel.size() < HEADER_BYTES || getLong() != MAGIC) {
      throw malformed("not a file of 3-stars");
    }
    this.range = getDouble();
    this.side = getDouble();
    this.rule = rule(getInt());
    int cells = getInt();
    int points = getInt();
    require(
        cells >= 0 && points >= cells,
        "%d points are too few for %d cells".formatted(points, cells));
    requireLeft((long) cells * CELL_BYTES + (long) points * Integer.BYTES);
    this.starts = readCells(cells, points);
    this.sensors = readSensors(points);
  }

  /**
   * Opens a file and reads its header.
   *
   * @throws MalformedStarFileException if the header is not valid
   */
  public static StarFile open(Path file) throws IOException, MalformedStarFileException {
    FileChannel channel =
        FileErrors.naming(file, () -> FileChannel.open(file, StandardOpenOption.READ));
    try {
      return new StarFile(file, channel);
    } catch (IOException | MalformedStarFileException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  static int number(StarRule rule) {
    return switch (rule) {
      case CIRCUMCIRCLE -> CIRCUMCIRCLE;
      case ENCLOSING_CIRCLE -> ENCLOSING_CIRCLE;
    };
  }

  /** Returns the range R. */
  public double range() {
    return range;
  }

  /** Returns the side of a cell. */
  public double side() {
    return side;
  }

  /** Returns the rule that defines a star. */
  public StarRule rule() {
    return rule;
  }

  /** Returns the number of sensors that were searched. */
  public int sensors() {
    return sensors.length;
  }

  /**
   * Visits each star, by the numbers of its sensors in the searched field, the lowest first. Can be
   * called once.
   *
   * @return the number of stars
   * @throws MalformedStarFileException if the file is truncated or damaged
   */
  public long forEach(StarVisitor visitor) throws IOException, MalformedStarFileException {
    if (read) {
      throw new IllegalStateException(file + " has already been read");
    }
    read = true;
    long stars = 0;
    int[] candidates = new int[SEGMENT_POINTS];
    for (int cell = getInt(); cell != END; cell = getInt()) {
      int lowest = point(cell, Short.toUnsignedInt(getShort()), Byte.toUnsignedInt(getByte()));
      int count = 0;
      int run = Short.toUnsignedInt(getShort());
      while (run > 0) {
        candidates =
            count + run > candidates.length
                ? Arrays.copyOf(candidates, 2 * (count + run))
                : candidates;
        readRun(candidates, count, run);
        count += run;
        run = Short.toUnsignedInt(getShort());
      }
      stars += readBits(lowest, candidates, count, visitor);
    }
    readEnd(stars);
    return stars;
  }

  private void readRun(int[] candidates, int from, int run)
      throws IOException, MalformedStarFileException {
    if (run > SEGMENT_POINTS) {
      throw malformed("a run of %d points is longer than %d".formatted(run, SEGMENT_POINTS));
    }
    int cell = getInt();
    int segment = Short.toUnsignedInt(getShort());
    for (int i = from; i < from + run; i++) {
      candidates[i] = point(cell, segment, Byte.toUnsignedInt(getByte()));
      require(
          i == 0 || candidates[i] > candidates[i - 1], "the candidates are not in ascending order");
    }
  }

  private long readBits(int lowest, int[] candidates, int count, StarVisitor visitor)
      throws IOException, MalformedStarFileException {
    long stars = 0;
    for (int b = 1; b < count; b++) {
      for (int a = 0; a < b; a += Byte.SIZE) {
        int bits = Byte.toUnsignedInt(getByte());
        require(a + Byte.SIZE <= b || bits >>> (b - a) == 0, "a bit is set after the end of a row");
        for (; bits != 0; bits &= bits - 1) {
          int second = candidates[a + Integer.numberOfTrailingZeros(bits)];
          visitor.star(sensors[lowest], sensors[second], sensors[candidates[b]]);
          stars++;
        }
      }
    }
    return stars;
  }

  private void readEnd(long stars) throws IOException, MalformedStarFileException {
    long recorded = getLong();
    require(recorded == stars, "%d stars, the file gives %d".formatted(stars, recorded));
    check.update(buffer.array(), 0, buffer.position());
    int computed = (int) check.getValue();
    // The CRC itself and the bytes after it are not part of the checked data.
    int written = getInt();
    require(
        computed == written, "CRC-32C is %08x, the file gives %08x".formatted(computed, written));
    long rest = channel.size() - offset();
    require(rest == 0, "%d bytes after the end".formatted(rest));
  }

  private int[] readCells(int cells, int points) throws IOException, MalformedStarFileException {
    int[] ends = new int[cells + 1];
    long sum = 0;
    for (int cell = 0; cell < cells; cell++) {
      // Rows and columns are for readers that know where cells are.
      getLong();
      int count = getInt();
      if (count <= 0 || count > points - sum) {
        throw malformed("cell %d has %d points, not 1…%d".formatted(cell, count, points - sum));
      }
      sum += count;
      ends[cell + 1] = (int) sum;
    }
    require(sum == points, "the cells have %d points, the header gives %d".formatted(sum, points));
    return ends;
  }

  private int[] readSensors(int points) throws IOException, MalformedStarFileException {
    int[] numbers = new int[points];
    boolean[] seen = new boolean[points];
    for (int point = 0; point < points; point++) {
      int sensor = getInt();
      if (sensor < 0 || sensor >= points || seen[sensor]) {
        throw malformed(
            "point %d: sensor %d is not in 0…%d, or is repeated"
                .formatted(point, sensor, points - 1));
      }
      seen[sensor] = true;
      numbers[point] = sensor;
    }
    return numbers;
  }

  private int point(int cell, int segment, int local) throws MalformedStarFileException {
    if (cell >= 0 && cell < starts.length - 1) {
      long point = starts[cell] + (long) segment * SEGMENT_POINTS + local;
      if (point < starts[cell + 1]) {
        return (int) point;
      }
    }
    throw malformed("cell %d, segment %d has no point %d".formatted(cell, segment, local));
  }

  private StarRule rule(int number) throws MalformedStarFileException {
    return switch (number) {
      case CIRCUMCIRCLE -> StarRule.CIRCUMCIRCLE;
      case ENCLOSING_CIRCLE -> StarRule.ENCLOSING_CIRCLE;
      default -> throw malformed("unknown rule " + number);
    };
  }

  private void requireLeft(long bytes) throws IOException, MalformedStarFileException {
    long left = channel.size() - offset();
    require(left >= bytes, "%d bytes remain, at least %d are needed".formatted(left, bytes));
  }

  private void require(boolean isValid, String problem) throws MalformedStarFileException {
    if (!isValid) {
      throw malformed(problem);
    }
  }

  private MalformedStarFileException malformed(String problem) {
    return new MalformedStarFileException(file, offset(), problem);
  }

  private long offset() {
    return bufferOffset + buffer.position();
  }

  private byte getByte() throws IOException, MalformedStarFileException {
    need(Byte.BYTES);
    return buffer.get();
  }

  private short getShort() throws IOException, MalformedStarFileException {
    need(Short.BYTES);
    return buffer.getShort();
  }

  private int getInt() throws IOException, MalformedStarFileException {
    need(Integer.BYTES);
    return buffer.getInt();
  }

  private long getLong() throws IOException, MalformedStarFileException {
    need(Long.BYTES);
    return buffer.getLong();
  }

  private double getDouble() throws IOException, MalformedStarFileException {
    return Double.longBitsToDouble(getLong());
  }

  private void need(int bytes) throws IOException, MalformedStarFileException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    check.update(buffer.array(), 0, buffer.position());
    bufferOffset += buffer.position();
    buffer.compact();
    while (buffer.position() < bytes && FileErrors.naming(file, () -> channel.read(buffer)) >= 0) {
      // Continue until there are enough bytes or the file ends.
    }
    buffer.flip();
    if (buffer.remaining() < bytes) {
      throw malformed("unexpected end of file");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
