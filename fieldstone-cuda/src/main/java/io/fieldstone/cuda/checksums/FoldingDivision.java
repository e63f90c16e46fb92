package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TableCache;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import java.lang.foreign.MemorySegment;

/**
 * Divides on binary tensor cores: a remainder is the sum of powers of x over the set bits, a
 * product over GF(2).
 */
final class FoldingDivision extends CudaDivision {

  private final CudaFoldingKernel kernel;
  private final TableCache<Divisor> cache;

  FoldingDivision(
      Gpu gpu, Divisor divisor, String name, CudaFoldingKernel kernel, TableCache<Divisor> cache) {
    super(gpu, divisor, name);
    this.kernel = kernel;
    this.cache = cache;
  }

  @Override
  long divide(long register, ByteSource message) {
    return cache.use(
        divisor(), address -> divide(register, message, kernel.divider(address, divisor())));
  }

  private long divide(long register, ByteSource message, CudaFoldingKernel.Divider divider) {
    MessageJob job =
        new MessageJob(
            message,
            divider,
            divisor().modulus(),
            register,
            message.pieceBytes(),
            ByteRange.TRANSFER_DEPTH);
    gpu().jobs().run(job);
    return job.register();
  }

  @Override
  void divide(long register, ByteSource data, Extents messages, MemorySegment registers) {
    cache.run(
        divisor(),
        address -> divide(register, data, messages, registers, kernel.divider(address, divisor())));
  }

  /**
   * Divides messages longer than a piece individually, and the messages between them in batches.
   */
  private void divide(
      long register,
      ByteSource data,
      Extents messages,
      MemorySegment registers,
      CudaFoldingKernel.Divider divider) {
    long first = 0;
    for (long i = 0; mayBeLong(messages, data.pieceBytes()) && i < messages.count(); i++) {
      if (messages.length(i) > data.pieceBytes()) {
        runBatch(register, data, messages, first, i, registers, divider);
        ByteSource message = data.slice(messages.offset(i), messages.length(i));
        registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, divide(register, message, divider));
        first = i + 1;
      }
    }
    runBatch(register, data, messages, first, messages.count(), registers, divider);
  }

  private static boolean mayBeLong(Extents messages, long bytes) {
    return !(messages instanceof Extents.Equal equal) || equal.length() > bytes;
  }

  private void runBatch(
      long register,
      ByteSource data,
      Extents messages,
      long first,
      long end,
      MemorySegment registers,
      CudaFoldingKernel.Divider divider) {
    if (first < end) {
      long count = end - first;
      HostBytes results =
          HostBytes.output(gpu(), registers.asSlice(first * Long.BYTES, count * Long.BYTES));
      gpu()
          .jobs()
          .run(new BatchJob(data, messages.slice(first, count), divider, register, results));
    }
  }
}
