package io.fieldstone.hybrid;

import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.field.Gf2Modulus;
import io.fieldstone.hybrid.JobKind.Operation;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides by all parts: one message split by bytes, many by messages.
 *
 * @param parts the division of each part
 */
record HybridDivision(HybridEngine engine, Divisor divisor, List<Division> parts)
    implements Division {

  /** Cost of a byte in multiply-accumulates, the unit of {@link SplitRule}. */
  private static final double WORK_PER_BYTE = 16;

  @Override
  public String method() {
    return Methods.AUTO;
  }

  @Override
  public void warmUp() {
    parts.forEach(Division::warmUp);
  }

  @Override
  public long append(long register, MemorySegment message) {
    ChecksumPreconditions.requireRegister(divisor, register);
    long[] remainder = new long[1];
    HeldMemory.run(
        () -> {
          MemorySegment usable = HeldMemory.unconfined(message);
          remainder[0] =
              append(
                  Operation.DIVISION,
                  register,
                  message.byteSize(),
                  (part, from, length) -> parts.get(part).append(0, usable.asSlice(from, length)));
        },
        message);
    return remainder[0];
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    ChecksumPreconditions.requireRegister(divisor, register);
    HybridResidentBytes bytes = engine.resident(data);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    return append(
        Operation.RESIDENT_DIVISION,
        register,
        length,
        (part, from, count) -> parts.get(part).append(0, bytes.on(part), offset + from, count));
  }

  /** Returns the remainder of a piece of a message by itself. */
  private interface Pieces {
    long remainder(int part, long from, long length);
  }

  private record Piece(long end, long remainder) {}

  private long append(Operation operation, long register, long bytes, Pieces pieces) {
    // The measurement of rates adds pieces from byte 0; the final piece from there replaces them.
    Map<Long, Piece> done = new ConcurrentHashMap<>();
    run(
        JobKind.ofMessages(operation, Split.COLUMNS, divisor, 1, bytes),
        bytes,
        bytes,
        (part, from, to) -> done.put(from, new Piece(to, pieces.remainder(part, from, to - from))));
    Gf2Modulus modulus = divisor.modulus();
    long sum = register;
    for (long at = 0; at < bytes; ) {
      Piece piece = Objects.requireNonNull(done.get(at));
      long advance = modulus.xToThe((piece.end() - at) * Byte.SIZE);
      sum = modulus.multiply(sum, advance) ^ piece.remainder();
      at = piece.end();
    }
    return sum;
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    ChecksumPreconditions.requireRegister(divisor, register);
    ChecksumPreconditions.requireMessages(messages, data.byteSize(), registers);
    HeldMemory.run(
        () -> {
          MemorySegment usable = HeldMemory.unconfined(data);
          appendAll(
              Operation.DIVISION,
              HeldMemory.unconfined(messages),
              HeldMemory.unconfined(registers),
              (part, some, results) -> parts.get(part).append(register, usable, some, results));
        },
        HeldMemory.of(messages, data, registers));
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    ChecksumPreconditions.requireRegister(divisor, register);
    HybridResidentBytes bytes = engine.resident(data);
    ChecksumPreconditions.requireMessages(messages, bytes.byteSize(), registers);
    HeldMemory.run(
        () ->
            appendAll(
                Operation.RESIDENT_DIVISION,
                HeldMemory.unconfined(messages),
                HeldMemory.unconfined(registers),
                (part, some, results) ->
                    parts.get(part).append(register, bytes.on(part), some, results)),
        HeldMemory.of(messages, registers));
  }

  /** Divides some of the messages. */
  private interface Batches {
    void append(int part, Extents messages, MemorySegment registers);
  }

  private void appendAll(
      Operation operation, Extents messages, MemorySegment registers, Batches batches) {
    long count = messages.count();
    long bytes = messages.totalLength();
    run(
        JobKind.ofMessages(
            operation, Split.GENERATIONS, divisor, count, bytes / Math.max(1, count)),
        count,
        bytes,
        (part, from, to) ->
            batches.append(
                part,
                messages.slice(from, to - from),
                registers.asSlice(from * Long.BYTES, (to - from) * Long.BYTES)));
  }

  private void run(JobKind kind, long units, long bytes, SharedJob.Slice slice) {
    double work = Math.max(1, WORK_PER_BYTE * bytes);
    engine.dispatcher().run(SharedJob.of(kind, engine.rule(), units, work, slice));
  }
}
