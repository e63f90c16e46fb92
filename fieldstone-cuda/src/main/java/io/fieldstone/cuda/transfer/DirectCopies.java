package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.engine.coding.ByteMatrices;

/**
 * Copies between pinned and device matrices with the GPU's copy engines. A batch takes one copy if
 * both sides have one stride, else one per matrix. Bytes between rows are not changed.
 */
final class DirectCopies {

  /** The minimum row with a gap; host threads copy shorter ones faster. */
  private static final int MIN_ROW_BYTES = 512;

  /** The minimum copy if each matrix needs its own: several times the latency of a copy. */
  private static final long MIN_COPY_BYTES = 256 << 10;

  private DirectCopies() {}

  /**
   * Returns whether direct copies of {@code count} parts of {@code rows}×{@code columns} are fast.
   */
  static boolean suit(ByteMatrices matrices, long count, int rows, int columns) {
    boolean packedRows = columns == matrices.stride();
    boolean packedMatrices =
        rows == matrices.rows() && matrices.pitch() == rows * matrices.stride();
    boolean fewCopies =
        count <= 1
            || rows == 1
            || packedRows
            || packedMatrices
            || (long) rows * columns >= MIN_COPY_BYTES;
    return fewCopies && (packedRows || columns >= MIN_ROW_BYTES);
  }

  static void upload(Stream stream, ByteMatrices from, DeviceMatrices to) {
    forEachCopy(
        from,
        to,
        (offset, stride, address, deviceStride, bytes, rows) ->
            stream.upload2D(
                from.data().asSlice(offset), stride, address, deviceStride, bytes, rows));
  }

  static void download(Stream stream, DeviceMatrices from, ByteMatrices to) {
    forEachCopy(
        to,
        from,
        (offset, stride, address, deviceStride, bytes, rows) ->
            stream.download2D(
                address, deviceStride, to.data().asSlice(offset), stride, bytes, rows));
  }

  /** Copies {@code rows} rows of {@code bytes}, strided on both sides. */
  private interface Copy {
    void run(long offset, long stride, long address, long deviceStride, long bytes, long rows);
  }

  private static void forEachCopy(ByteMatrices host, DeviceMatrices device, Copy copy) {
    long rows = host.rows();
    long columns = host.columns();
    long count = host.count();
    if (rows == 0 || columns == 0 || count == 0) {
      return;
    }
    if (rows == 1 || (host.stride() == columns && device.stride() == columns)) {
      copy.run(0, host.pitch(), device.address(), device.pitch(), rows * columns, count);
    } else if (count == 1
        || (host.pitch() == rows * host.stride() && device.pitch() == rows * device.stride())) {
      copy.run(0, host.stride(), device.address(), device.stride(), columns, count * rows);
    } else {
      for (long g = 0; g < count; g++) {
        long address = device.address() + g * device.pitch();
        copy.run(g * host.pitch(), host.stride(), address, device.stride(), columns, rows);
      }
    }
  }
}
