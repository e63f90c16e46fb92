package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TableCache;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/** Divides as in the PCRC paper; the messages of a batch are divided one at a time. */
final class ChunkDivision extends CudaDivision {

  private final ChunkMethod method;
  private final Function kernel;
  private final TableCache<Gf2Modulus> cache;

  ChunkDivision(Gpu gpu, Divisor divisor, ChunkMethod method, TableCache<Gf2Modulus> cache) {
    super(gpu, divisor, method.name());
    this.method = method;
    this.kernel =
        gpu.modules()
            .function(
                "checksums", method.byReduction() ? "checksum_pcrc_reduction" : "checksum_pcrc");
    this.cache = cache;
  }

  @Override
  long divide(long register, ByteSource message) {
    return cache.use(
        divisor().modulus(),
        betas -> {
          MessageJob job =
              new MessageJob(
                  message,
                  new ChunkDivider(kernel, method.threads(), betas, divisor()),
                  divisor().modulus(),
                  register,
                  method.segmentBytes(message.byteSize()),
                  method.streams());
          gpu().jobs().run(job);
          return job.register();
        });
  }

  @Override
  void divide(long register, ByteSource data, Extents messages, MemorySegment registers) {
    for (long i = 0; i < messages.count(); i++) {
      ByteSource message = data.slice(messages.offset(i), messages.length(i));
      registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, divide(register, message));
    }
  }
}
