package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TableCache;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;

/**
 * Divides as in the PCRC paper. A thread multiplies a chunk, of as many bits as the divisor's
 * degree, by its β. A block adds the products of its threads, and the host adds those of the
 * blocks. β covers {@value #BETAS} chunks; for longer pieces the host advances the remainder by
 * {@value #BETAS} chunks at a time.
 *
 * @param kernel {@code checksum_pcrc} or {@code checksum_pcrc_reduction}
 * @param betas the device address of β
 */
record ChunkDivider(Function kernel, int threads, long betas, Divisor divisor)
    implements PieceDivider {

  /** The number of chunks that β covers: the bits of the paper's message. */
  private static final int BETAS = 1 << 16;

  /** Computes β: β<sub>i</sub> = x<sup>(i+1)·w</sup>. */
  static TableCache.Maker<Gf2Modulus> maker() {
    return new TableCache.Maker<>() {
      @Override
      public long bytes(Gf2Modulus modulus) {
        return (long) BETAS * Long.BYTES;
      }

      @Override
      public void write(Gf2Modulus modulus, MemorySegment betas) {
        long power = 1;
        for (int i = 0; i < BETAS; i++) {
          for (int bit = 0; bit < modulus.degree(); bit++) {
            power = modulus.timesX(power);
          }
          betas.setAtIndex(JAVA_LONG, i, power);
        }
      }
    };
  }

  private long blocks(long bytes) {
    return Math.ceilDiv(Math.ceilDiv(Byte.SIZE * bytes, divisor.degree()), threads);
  }

  @Override
  public long resultBytes(long bytes) {
    return blocks(bytes) * Long.BYTES;
  }

  @Override
  public void enqueueDivide(StreamSlot slot, long address, long bytes, long resultAddress) {
    slot.arguments()
        .int64(address)
        .int64(bytes)
        .int64(betas)
        .int64(BETAS)
        .int64(resultAddress)
        .int64(divisor.modulus().terms())
        .int32(divisor.degree())
        .int32(divisor.lowBitFirst() ? 1 : 0);
    slot.launch(kernel, LaunchShape.of(Math.toIntExact(blocks(bytes)), threads));
  }

  @Override
  public long remainder(MemorySegment results, long bytes) {
    Gf2Modulus modulus = divisor.modulus();
    long blocks = blocks(bytes);
    long group = BETAS / threads;
    long factor = modulus.xToThe((long) BETAS * divisor.degree());
    long remainder = 0;
    for (long first = (blocks - 1) / group * group; first >= 0; first -= group) {
      remainder = modulus.multiply(remainder, factor);
      for (long i = first; i < Math.min(first + group, blocks); i++) {
        remainder ^= results.getAtIndex(JAVA_LONG, i);
      }
    }
    return remainder;
  }
}
