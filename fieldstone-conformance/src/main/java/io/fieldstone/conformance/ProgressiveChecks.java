package io.fieldstone.conformance;

import static io.fieldstone.conformance.RandomMatrices.MAX_COLUMNS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf256Matrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares random systems that arrive row by row with {@link Gf256Matrix}. */
final class ProgressiveChecks {

  /** Few blocks, because the reference takes n⁴ steps. */
  private static final int MAX_BLOCKS = 24;

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;
  private final RandomVectors vectors;

  ProgressiveChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
    this.vectors = new RandomVectors(field, random);
  }

  /** Solves two systems in the same memory and reads them at random times. */
  Optional<String> systems() {
    int n = random.nextInt(1, MAX_BLOCKS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined();
        ProgressiveElimination received = engine.progressive(field, n, k)) {
      if (received.blocks() != n || received.blockSize() != k) {
        return Optional.of(
            "%d×%d instead of %d×%d".formatted(received.blocks(), received.blockSize(), n, k));
      }
      for (int round = 0; round < 2; round++) {
        Optional<String> failure =
            arrival(received, new RandomMatrices(field, random, arena), random.nextBoolean());
        if (failure.isPresent()) {
          return failure;
        }
        received.clear();
      }
    }
    return Optional.empty();
  }

  /**
   * Adds rows of a system.
   *
   * @param isCompleted whether rows of the identity complete the rank
   */
  private Optional<String> arrival(
      ProgressiveElimination received, RandomMatrices memory, boolean isCompleted) {
    int n = received.blocks();
    int k = received.blockSize();
    ByteMatrices sources = memory.matrices(1, n, k);
    byte[] rows = new byte[(n + 1) * n];
    int rank = 0;
    int arrivals = random.nextInt(2 * n + 1);
    for (int arrival = 0; arrival < arrivals + (isCompleted ? n : 0); arrival++) {
      byte[] vector =
          arrival < arrivals ? vectors.next(n, rows, rank) : unit(n, arrival - arrivals);
      System.arraycopy(vector, 0, rows, rank * n, n);
      boolean innovative = rank(n, rows, rank + 1) > rank;
      MemorySegment segment = MemorySegment.ofArray(vector);
      if (received.isInnovative(segment) != innovative) {
        return Optional.of("innovation wrong at rank %d of %d".formatted(rank, n));
      }
      // The payload of a non-innovative row must not be used.
      ByteMatrices payload =
          innovative ? combination(memory, vector, sources) : memory.matrices(1, 1, k);
      if (received.add(segment, payload.row(0, 0)) != innovative) {
        return Optional.of("innovation wrong at rank %d of %d".formatted(rank, n));
      }
      rank += innovative ? 1 : 0;
      if (received.rank() != rank) {
        return Optional.of("rank %d instead of %d of %d".formatted(received.rank(), rank, n));
      }
      if (random.nextInt(8) == 0 || rank == n && innovative) {
        Optional<String> failure = reading(received, memory, sources, rows, rank);
        if (failure.isPresent()) {
          return failure;
        }
      }
    }
    return Optional.empty();
  }

  /** Checks that solved blocks can be read, alone and in ranges, and unsolved blocks cannot. */
  private Optional<String> reading(
      ProgressiveElimination received,
      RandomMatrices memory,
      ByteMatrices sources,
      byte[] rows,
      int rank) {
    int n = received.blocks();
    int k = received.blockSize();
    int solved = 0;
    for (int source = 0; source < n; source++) {
      byte[] with = Arrays.copyOf(rows, (rank + 1) * n);
      System.arraycopy(unit(n, source), 0, with, rank * n, n);
      boolean follows = rank(n, with, rank + 1) == rank;
      if (received.isSolved(source) != follows) {
        return Optional.of("source %d of %d is wrong at rank %d".formatted(source, n, rank));
      }
      ByteMatrices one = memory.matrices(1, 1, k);
      byte[] expected = one.data().toArray(JAVA_BYTE);
      if (follows) {
        solved++;
        MemorySegment.copy(
            sources.row(0, source), JAVA_BYTE, 0, expected, (int) one.offset(0, 0), k);
        received.read(source, one.row(0, 0));
      } else if (!rejects(received, source, one)) {
        return Optional.of("source %d of %d can be read at rank %d".formatted(source, n, rank));
      }
      Optional<String> failure = memory.compare("source " + source, one, expected);
      if (failure.isPresent()) {
        return failure;
      }
    }
    if (received.solved() != solved) {
      return Optional.of("%d counted as solved instead of %d".formatted(received.solved(), solved));
    }
    int first = random.nextInt(n);
    int length = random.nextInt(n - first + 1);
    if (rank == n) {
      first = 0;
      length = n;
    }
    ByteMatrices range = memory.matrices(1, length, k);
    byte[] expected = range.data().toArray(JAVA_BYTE);
    boolean all = true;
    for (int i = 0; i < length; i++) {
      all &= received.isSolved(first + i);
    }
    for (int i = 0; i < length && all; i++) {
      int at = (int) range.offset(0, i);
      MemorySegment.copy(sources.row(0, first + i), JAVA_BYTE, 0, expected, at, k);
    }
    if (all) {
      received.read(first, range);
    } else if (!rejects(received, first, range)) {
      return Optional.of("unsolved blocks from %d on can be read".formatted(first));
    }
    return memory.compare("%d of %d blocks at rank %d".formatted(length, n, rank), range, expected);
  }

  private static boolean rejects(
      ProgressiveElimination received, int first, ByteMatrices destination) {
    try {
      received.read(first, destination);
      return false;
    } catch (IllegalStateException _) {
      return true;
    }
  }

  private ByteMatrices combination(RandomMatrices memory, byte[] vector, ByteMatrices sources) {
    ByteMatrices payload = memory.matrices(1, 1, sources.columns());
    byte[] bytes = payload.data().toArray(JAVA_BYTE);
    ByteMatrices coefficients = ByteMatrices.of(MemorySegment.ofArray(vector), 1, vector.length);
    memory.multiply(coefficients, sources, 0, payload, bytes);
    payload.data().copyFrom(MemorySegment.ofArray(bytes));
    return payload;
  }

  private int rank(int n, byte[] rows, int count) {
    return Gf256Matrix.of(field, count, n, Arrays.copyOf(rows, count * n)).rank();
  }

  private static byte[] unit(int n, int source) {
    byte[] unit = new byte[n];
    unit[source] = 1;
    return unit;
  }
}
