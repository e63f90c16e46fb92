package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Divisor;
import io.fieldstone.engine.Extents;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/** Division as the PCRC paper has it; of many messages one after another. */
record Chunks(Gpu gpu, TableCache<Gf2Modulus> cache, Divisor divisor, ChunkMethod method)
    implements GpuMethod {

  @Override
  public long append(long register, ByteSource message) {
    return cache.use(
        divisor.modulus(),
        betas -> {
          MessageJob job =
              new MessageJob(
                  message,
                  new ChunkDivider(
                      gpu.kernels().chunks(method.byReduction()), method.threads(), betas, divisor),
                  divisor.modulus(),
                  register,
                  method.segmentBytes(message.byteSize()),
                  method.streams());
          gpu.run(job);
          return job.register();
        });
  }

  @Override
  public void append(long register, ByteSource data, Extents messages, MemorySegment registers) {
    for (long i = 0; i < messages.count(); i++) {
      ByteSource message = data.slice(messages.offset(i), messages.length(i));
      registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, append(register, message));
    }
  }
}
