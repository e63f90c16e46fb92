package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Blackhole;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.Checksum;

/**
 * Divides one message by one code with many methods. Each candidate counts bytes, so that its rate
 * is in GB/s, and finds the right remainder before it is measured.
 */
final class DivisionLoad {

  /** Separates the name of a method from its parameters. */
  private static final char PARAMETERS = '@';

  /**
   * Bytes of a run; shorter messages are divided several times per run, so that the cost of the run
   * is small.
   */
  private static final int RUN_BYTES = 4096;

  private final PcrcCode code;
  private final MemorySegment message;
  private final Division oracle;
  private final int repeats;
  private final Blackhole sink = new Blackhole();

  /**
   * Takes a message.
   *
   * @param oracle an engine whose remainder all candidates must match
   */
  DivisionLoad(PcrcCode code, Engine oracle, MemorySegment message) {
    this.code = code;
    this.message = message;
    this.oracle = oracle.checksums().division(code.divisor());
    this.repeats = (int) Math.max(1, RUN_BYTES / message.byteSize());
  }

  /** Returns whether an engine has a method, which may carry parameters. */
  static boolean has(Engine engine, PcrcCode code, String method) {
    int parameters = method.indexOf(PARAMETERS);
    String plain = parameters < 0 ? method : method.substring(0, parameters);
    return plain.equals(Methods.AUTO) || engine.checksums().methods(code.divisor()).contains(plain);
  }

  /** Divides the message in main memory; empty if the engine lacks the method. */
  Optional<Candidate> inMemory(String name, Engine engine, String method) {
    return division(engine, method)
        .map(division ->
            candidate(name, () -> division.append(0, message), oracle.append(0, message)));
  }

  /**
   * Divides a resident copy; empty if the engine lacks the method.
   *
   * @param copy begins with the message
   */
  Optional<Candidate> resident(String name, Engine engine, String method, ResidentBytes copy) {
    long bytes = message.byteSize();
    return division(engine, method)
        .map(division ->
            candidate(name, () -> division.append(0, copy, 0, bytes), oracle.append(0, message)));
  }

  /** Divides by the checksum of the JDK on the calling thread; empty if the JDK lacks the code. */
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

  /**
   * Converts a register to the value of {@code java.util.zip}, which begins with ones, and reflects
   * and inverts the register at the end.
   */
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
