package io.fieldstone.conformance;

import static io.fieldstone.conformance.CheckFailures.firstOf;
import static io.fieldstone.conformance.CheckFailures.rejected;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Divides random messages by every method of an engine and compares with bitwise long division. */
final class ChecksumChecks {

  private static final int MAX_BYTES = 700;

  /** Few enough bytes for every method to use one core or one thread block. */
  private static final int FEW_BYTES = 40;

  /** Enough bytes for every method to split a message. */
  private static final int LONG_BYTES = 1 << 20;

  private static final int MAX_MARGIN = 40;
  private static final int MAX_MESSAGES = 40;

  private final Engine engine;
  private final SplittableRandom random;

  ChecksumChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Divides one message in every kind of memory, at random alignments. */
  Optional<String> messages() {
    return divide(random.nextInt(random.nextBoolean() ? FEW_BYTES : MAX_BYTES));
  }

  /** Divides a message long enough to be split. */
  Optional<String> longMessages() {
    return divide(LONG_BYTES / 2 + random.nextInt(LONG_BYTES / 2));
  }

  private Optional<String> divide(int length) {
    Divisor divisor = divisor();
    long initial = register(divisor);
    int offset = random.nextInt(9);
    byte[] bytes = bytes(offset + length + random.nextInt(9));
    long expected = definition(divisor, initial, bytes, offset, length);
    int cut = random.nextInt(length + 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment array = MemorySegment.ofArray(bytes).asSlice(offset, length);
      MemorySegment direct = copy(arena.allocate(bytes.length), bytes).asSlice(offset, length);
      MemorySegment words =
          copy(MemorySegment.ofArray(new long[bytes.length / Long.BYTES + 1]), bytes)
              .asSlice(offset, length);
      for (Division division : divisions(divisor)) {
        long inPieces =
            division.append(division.append(initial, direct.asSlice(0, cut)), direct.asSlice(cut));
        Optional<String> failure =
            firstOf(
                Stream.of(
                    compare(
                        division, "an array", length, division.append(initial, array), expected),
                    compare(
                        division,
                        "a read-only array",
                        length,
                        division.append(initial, array.asReadOnly()),
                        expected),
                    compare(
                        division,
                        "an array of longs",
                        length,
                        division.append(initial, words),
                        expected),
                    compare(
                        division,
                        "native memory",
                        length,
                        division.append(initial, direct),
                        expected),
                    compare(division, "two pieces", length, inPieces, expected)));
        if (failure.isPresent()) {
          return failure;
        }
      }
    }
    return divideResident(
        divisor,
        bytes,
        (division, resident) ->
            compare(
                division,
                "resident bytes",
                length,
                division.append(initial, resident, offset, length),
                expected));
  }

  /** Divides resident bytes by every method, if the engine has memory for them. */
  private Optional<String> divideResident(
      Divisor divisor,
      byte[] bytes,
      BiFunction<Division, ResidentBytes, Optional<String>> comparison) {
    if (engine.find(ByteMemory.class).isEmpty()) {
      return Optional.empty();
    }
    try (ResidentBytes resident = engine.loadBytes(MemorySegment.ofArray(bytes))) {
      return firstOf(
          divisions(divisor).stream().map(division -> comparison.apply(division, resident)));
    }
  }

  /** Divides many messages of equal length, which may overlap or have gaps. */
  Optional<String> equalBatches() {
    long count = random.nextInt(MAX_MESSAGES);
    int length = random.nextInt(MAX_BYTES / 4);
    int stride = random.nextInt(2 * length + 2);
    return batch(Extents.equal(count, random.nextInt(9), stride, length));
  }

  /** Divides many messages at random offsets with random lengths. */
  Optional<String> listedBatches() {
    int count = random.nextInt(MAX_MESSAGES);
    long[] offsets = random.longs(count, 0, MAX_BYTES).toArray();
    long[] lengths = random.longs(count, 0, MAX_BYTES / 4).toArray();
    Extents all = Extents.listed(offsets, lengths);
    int first = random.nextInt(count + 1);
    return batch(random.nextBoolean() ? all : all.slice(first, random.nextInt(count - first + 1)));
  }

  /** Divides enough messages for an engine to distribute them among threads or blocks. */
  Optional<String> manyMessages() {
    int count = 500 + random.nextInt(500);
    if (random.nextBoolean()) {
      return batch(Extents.equal(count, random.nextInt(9), 100 + random.nextInt(20), 100));
    }
    long[] offsets = random.longs(count, 0, MAX_BYTES).toArray();
    return batch(Extents.listed(offsets, random.longs(count, 0, MAX_BYTES).toArray()));
  }

  private Optional<String> batch(Extents messages) {
    Divisor divisor = divisor();
    long initial = register(divisor);
    int end = 0;
    for (long i = 0; i < messages.count(); i++) {
      end = Math.max(end, Math.toIntExact(messages.offset(i) + messages.length(i)));
    }
    byte[] bytes = bytes(end);
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < messages.count(); i++) {
      expected.add(
          definition(divisor, initial, bytes, (int) messages.offset(i), (int) messages.length(i)));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment direct = copy(arena.allocate(Math.max(1, end)), bytes);
      for (Division division : divisions(divisor)) {
        MemorySegment registers = registers(arena, messages);
        division.append(initial, direct, messages, registers);
        MemorySegment ofArray = registers(arena, messages);
        division.append(initial, MemorySegment.ofArray(bytes), messages, ofArray);
        for (int i = 0; i < expected.size(); i++) {
          int length = (int) messages.length(i);
          Optional<String> failure =
              firstOf(
                  Stream.of(
                      compare(division, "message " + i, length, at(registers, i), expected.get(i)),
                      compare(
                          division,
                          "message %d of an array".formatted(i),
                          length,
                          at(ofArray, i),
                          expected.get(i))));
          if (failure.isPresent()) {
            return failure;
          }
        }
      }
    }
    return divideResident(
        divisor,
        bytes,
        (division, resident) -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment ofResident = registers(arena, messages);
            division.append(initial, resident, messages, ofResident);
            return firstOf(
                IntStream.range(0, expected.size())
                    .mapToObj(i ->
                        compare(
                            division,
                            "resident message " + i,
                            (int) messages.length(i),
                            at(ofResident, i),
                            expected.get(i))));
          }
        });
  }

  /** Compares every method with published check values. */
  Optional<String> knownAnswers() {
    for (KnownRegisters known : KnownRegisters.ALL) {
      for (Division division : divisions(known.divisor())) {
        long register =
            division.append(known.initial(), MemorySegment.ofArray(KnownRegisters.MESSAGE));
        if (register != known.register()) {
          return Optional.of(
              "%s by %s: register 0x%X instead of 0x%X"
                  .formatted(known.name(), division.method(), register, known.register()));
        }
      }
    }
    return Optional.empty();
  }

  /** Checks that resident bytes are zero at first and then have the stored content. */
  Optional<String> residentBytes() {
    byte[] expected = new byte[random.nextInt(MAX_BYTES)];
    byte[] read = new byte[expected.length];
    try (ResidentBytes resident = engine.allocateBytes(expected.length)) {
      for (int round = 0; round < 3; round++) {
        Arrays.fill(read, (byte) -1);
        resident.read(0, MemorySegment.ofArray(read));
        if (resident.byteSize() != expected.length || !Arrays.equals(read, expected)) {
          return Optional.of("%d resident bytes, round %d".formatted(expected.length, round));
        }
        int from = random.nextInt(expected.length + 1);
        byte[] part = bytes(random.nextInt(expected.length - from + 1));
        System.arraycopy(part, 0, expected, from, part.length);
        if (random.nextBoolean()) {
          resident.store(from, MemorySegment.ofArray(part));
        } else {
          storeFromResident(resident, from, part);
        }
      }
      int from = random.nextInt(expected.length + 1);
      byte[] tail = new byte[expected.length - from];
      resident.read(from, MemorySegment.ofArray(tail));
      return Arrays.equals(tail, Arrays.copyOfRange(expected, from, expected.length))
          ? Optional.empty()
          : Optional.of("resident bytes from %d on".formatted(from));
    }
  }

  /** Stores bytes from bytes that are resident on this engine or another. */
  private void storeFromResident(ResidentBytes resident, long offset, byte[] part) {
    int margin = random.nextInt(MAX_MARGIN);
    byte[] around = bytes(margin + part.length + random.nextInt(MAX_MARGIN));
    System.arraycopy(part, 0, around, margin, part.length);
    MemorySegment stored = MemorySegment.ofArray(around);
    if (random.nextBoolean()) {
      try (ResidentBytes source = engine.loadBytes(stored)) {
        resident.store(offset, source, margin, part.length);
      }
    } else {
      try (Engine other = Engine.open("cpu:scalar");
          ResidentBytes source = other.loadBytes(stored)) {
        resident.store(offset, source, margin, part.length);
      }
    }
  }

  /** Checks that invalid arguments are rejected. */
  Optional<String> misuse() {
    Divisor divisor = new Divisor(Gf2Modulus.of(16, 0x1021), false);
    MemorySegment bytes = MemorySegment.ofArray(bytes(20));
    MemorySegment two = MemorySegment.ofArray(new long[2]);
    try (Engine other = Engine.open("cpu:scalar");
        ResidentBytes foreign = other.loadBytes(bytes)) {
      Stream<Optional<String>> ofDivisions =
          divisions(divisor).stream()
              .flatMap(division ->
                  Stream.of(
                      rejected(
                          "a register of 17 bits",
                          IllegalArgumentException.class,
                          () -> division.append(0x10000, bytes)),
                      rejected(
                          "bytes of another engine",
                          IllegalArgumentException.class,
                          () -> division.append(0, foreign, 0, 20)),
                      rejected(
                          "a message beyond the last byte",
                          IndexOutOfBoundsException.class,
                          () -> division.append(0, bytes, Extents.equal(2, 0, 11, 10), two)),
                      rejected(
                          "three registers in memory for two",
                          IllegalArgumentException.class,
                          () -> division.append(0, bytes, Extents.equal(3, 0, 0, 1), two))));
      return firstOf(
          Stream.concat(
              Stream.of(
                  rejected(
                      "an unknown method",
                      IllegalArgumentException.class,
                      () -> engine.checksums().division(divisor, "by hand"))),
              ofDivisions));
    }
  }

  /** Checks that invalid arguments for resident bytes are rejected. */
  Optional<String> residentMisuse() {
    Divisor divisor = new Divisor(Gf2Modulus.of(16, 0x1021), false);
    Extents beyond = Extents.listed(new long[] {0, 20}, new long[] {20, 1});
    return rejected(
            "a negative number of bytes",
            IllegalArgumentException.class,
            () -> engine.allocateBytes(-1).close())
        .or(() ->
            divideResident(
                divisor,
                bytes(20),
                (division, resident) ->
                    rejected(
                            "bytes beyond the last",
                            IndexOutOfBoundsException.class,
                            () -> division.append(0, resident, 1, 20))
                        .or(() ->
                            rejected(
                                "a listed message beyond the last byte",
                                IndexOutOfBoundsException.class,
                                () ->
                                    division.append(
                                        0,
                                        resident,
                                        beyond,
                                        MemorySegment.ofArray(new long[2]))))));
  }

  /** Returns every method by name and the engine's own choice, all compiled. */
  private List<Division> divisions(Divisor divisor) {
    List<Division> divisions = new ArrayList<>();
    divisions.add(engine.checksums().division(divisor));
    for (String method : engine.checksums().methods(divisor)) {
      divisions.add(engine.checksums().division(divisor, method));
    }
    divisions.forEach(Division::warmUp);
    return divisions;
  }

  /** Returns a random divisor, or one for which specialised methods exist. */
  private Divisor divisor() {
    if (random.nextInt(3) == 0) {
      return KnownRegisters.ALL.get(random.nextInt(KnownRegisters.ALL.size())).divisor();
    }
    int degree = 1 + random.nextInt(Gf2Modulus.MAX_DEGREE);
    long terms = random.nextLong() >>> (Long.SIZE - degree) | 1;
    return new Divisor(Gf2Modulus.of(degree, terms), random.nextBoolean());
  }

  private long register(Divisor divisor) {
    return random.nextLong() & divisor.modulus().mask();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns unaligned memory for registers with nonzero content. */
  private static MemorySegment registers(Arena arena, Extents messages) {
    long bytes = messages.count() * Long.BYTES;
    return arena.allocate(bytes + 1).fill((byte) 0x5A).asSlice(1, bytes);
  }

  private static long at(MemorySegment registers, int index) {
    return registers.get(JAVA_LONG_UNALIGNED, (long) index * Long.BYTES);
  }

  private static MemorySegment copy(MemorySegment memory, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, bytes.length);
    return memory;
  }

  /** Computes x · register + bit · x^degree for each bit. */
  private static long definition(
      Divisor divisor, long initial, byte[] bytes, int offset, int length) {
    Gf2Modulus modulus = divisor.modulus();
    long register = initial;
    for (int i = offset; i < offset + length; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        int position = divisor.lowBitFirst() ? bit : Byte.SIZE - 1 - bit;
        register =
            modulus.timesX(register) ^ ((bytes[i] >>> position & 1) == 0 ? 0 : modulus.terms());
      }
    }
    return register;
  }

  private static Optional<String> compare(
      Division division, String label, int length, long register, long expected) {
    return register == expected
        ? Optional.empty()
        : Optional.of(
            "%s of %d bytes by %s, %s: register 0x%X instead of 0x%X"
                .formatted(
                    label, length, division.method(), division.divisor(), register, expected));
  }
}
