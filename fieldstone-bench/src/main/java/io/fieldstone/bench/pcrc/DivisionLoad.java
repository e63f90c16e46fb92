package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Blackhole;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.engine.Checksums;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.Checksum;

/**
 * A message that is divided by one code in many ways. Each candidate counts bytes, so that its rate
 * is in GB/s, and has to find the same remainder before it is measured.
 */
final class DivisionLoad {

  /** The engine's own choice of a method. */
  static final String AUTO = "auto";

  /** What stands between a method's name and its numbers. */
  private static final char NUMBERS = '@';

  /** Shorter messages are divided several times a run, so that what is measured is not the run. */
  private static final int RUN_BYTES = 4096;

  private final PcrcCode code;
  private final MemorySegment message;
  private final Division oracle;
  private final int repeats;
  private final Blackhole sink = new Blackhole();

  /**
   * @param oracle what it finds by its own choice is what all have to find
   */
  DivisionLoad(PcrcCode code, Engine oracle, MemorySegment message) {
    this.code = code;
    this.message = message;
    this.oracle = oracle.checksums().division(code.divisor());
    this.repeats = (int) Math.max(1, RUN_BYTES / message.byteSize());
  }

  /** Whether an engine has a method, which may carry numbers. */
  static boolean has(Engine engine, PcrcCode code, String method) {
    int numbers = method.indexOf(NUMBERS);
    String plain = numbers < 0 ? method : method.substring(0, numbers);
    return plain.equals(AUTO) || engine.checksums().methods(code.divisor()).contains(plain);
  }

  /** Dividing the message where it is, in main memory; empty if there is no such method. */
  Optional<Candidate> inMemory(String name, Engine engine, String method) {
    return division(engine, method)
        .map(division ->
            candidate(name, () -> division.append(0, message), oracle.append(0, message)));
  }

  /**
   * Dividing a copy on the engine; empty if there is no such method.
   *
   * @param copy begins with the message
   */
  Optional<Candidate> resident(String name, Engine engine, String method, ResidentBytes copy) {
    long bytes = message.byteSize();
    return division(engine, method)
        .map(division ->
            candidate(name, () -> division.append(0, copy, 0, bytes), oracle.append(0, message)));
  }

  /** The JDK's own, on the calling thread; empty if it has no such code. */
  Optional<Candidate> reference(String name) {
    return code.reference()
        .map(maker -> {
          Checksum checksum = maker.get();
          ByteBuffer buffer = message.asByteBuffer();
          return candidate(
              name,
              () -> {
                checksum.reset();
                checksum.update(buffer.rewind());
                return checksum.getValue();
              },
              ofZip(oracle.append(code.divisor().modulus().mask(), message)));
        });
  }

  private Optional<Division> division(Engine engine, String method) {
    if (!has(engine, code, method)) {
      return Optional.empty();
    }
    Checksums checksums = engine.checksums();
    Division division = checksums.division(code.divisor(), method);
    division.warmUp();
    return Optional.of(division);
  }

  /** {@code java.util.zip} begins with ones, and turns and inverts the register at the end. */
  private long ofZip(long register) {
    long mask = code.divisor().modulus().mask();
    return (Long.reverse(register) >>> Long.SIZE - code.width()) ^ mask;
  }

  private Candidate candidate(String name, LongSupplier body, long expected) {
    long found = body.getAsLong();
    if (found != expected) {
      throw new IllegalStateException(
          "%s of %d bytes by %s is 0x%x and not 0x%x"
              .formatted(code, message.byteSize(), name, found, expected));
    }
    return new Candidate(
        name,
        (double) repeats * message.byteSize(),
        () -> {
          long sum = 0;
          for (int i = 0; i < repeats; i++) {
            sum ^= body.getAsLong();
          }
          sink.consume(sum);
        });
  }
}
