import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * Decodes generations of random coded blocks on one thread, as {@code coded} of decoding.mjs does,
 * with the engines of the arguments. Prints the best rate of each.
 */
final class Decoding {
  private static final int N = 64;
  private static final int K = 1200;
  private static final long NANOS = 15_000_000_000L;

  private Decoding() {}

  public static void main(String[] names) {
    for (String name : names) {
      try (Engine engine = Engine.open(name, new EngineOptions(1));
          Arena arena = Arena.ofConfined()) {
        System.out.printf("%-20s %6.0f MB/s%n", name, 1e3 * N * K / bestNanos(engine, arena));
      }
    }
  }

  private static long bestNanos(Engine engine, Arena arena) {
    engine.warmUp(Gf256.DEFAULT);
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), N, K);
    MemorySegment vectors = random(arena, (long) N * N);
    MemorySegment payloads = random(arena, (long) N * K);
    MemorySegment decoded = arena.allocate(shape.bytes(), 64);
    long best = Long.MAX_VALUE;
    for (long start = System.nanoTime(); System.nanoTime() - start < NANOS; ) {
      long begin = System.nanoTime();
      try (Decoder decoder = new Decoder(engine, shape, 0)) {
        for (int i = 0; i < N; i++) {
          CodingVector vector = new CodingVector.Explicit(vectors.asSlice((long) i * N, N));
          if (!decoder.add(new CodedBlock(0, vector, payloads.asSlice((long) i * K, K)))) {
            throw new IllegalStateException("block " + i + " is not innovative");
          }
        }
        decoder.decode(decoded);
      }
      best = Math.min(best, System.nanoTime() - begin);
    }
    return best;
  }

  private static MemorySegment random(Arena arena, long bytes) {
    byte[] array = new byte[Math.toIntExact(bytes)];
    new SplittableRandom(1).nextBytes(array);
    return arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(array));
  }
}
