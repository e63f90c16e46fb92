package io.fieldstone.conformance;

import static io.fieldstone.conformance.CheckFailures.firstOf;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf256Matrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Compares random inversions, systems and bases with {@link Gf256Matrix}. */
final class EliminationChecks {

  /** Large enough for several panels of a blocked elimination. */
  private static final int MAX_COLUMNS = 90;

  private static final int FEW_COLUMNS = 30;
  private static final int MAX_MATRICES = 4;

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;
  private final RandomVectors vectors;

  EliminationChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
    this.vectors = new RandomVectors(field, random);
  }

  /** Inverts a batch of random matrices, some of them singular. */
  Optional<String> inversion() {
    return inversion(random.nextInt(MAX_MATRICES + 1), columns());
  }

  /**
   * Inverts matrices of usual generations and larger ones, for which engines have other kernels.
   */
  Optional<String> largeInversion() {
    return inversion(1 + random.nextInt(2), largeColumns());
  }

  private Optional<String> inversion(int count, int n) {
    byte[] content = new byte[count * n * n];
    for (int g = 0; g < count; g++) {
      byte[] matrix = new byte[n * n];
      for (int row = 0; row < n; row++) {
        System.arraycopy(vectors.next(n, matrix, row), 0, matrix, row * n, n);
      }
      System.arraycopy(matrix, 0, content, g * n * n, n * n);
    }
    ByteMatrices matrices = ByteMatrices.packed(MemorySegment.ofArray(content), count, n, n);
    byte[] inverses = new byte[content.length];
    int[] ranks =
        engine
            .eliminations()
            .invert(
                field, matrices, ByteMatrices.packed(MemorySegment.ofArray(inverses), count, n, n));
    for (int g = 0; g < count; g++) {
      Gf256Matrix matrix = matrix(n, n, content, g * n * n);
      if (ranks[g] != matrix.rank()) {
        return Optional.of("rank %d for a matrix of rank %d".formatted(ranks[g], matrix.rank()));
      }
      Gf256Matrix inverse = matrix(n, n, inverses, g * n * n);
      if (ranks[g] == n && !matrix.multiply(inverse).equals(Gf256Matrix.identity(field, n))) {
        return Optional.of(
            "matrix %d times its inverse is not the identity, n = %d".formatted(g, n));
      }
    }
    return Optional.empty();
  }

  /** Solves systems in the caller's memory, some of them singular. */
  Optional<String> solutions() {
    return solutions(random.nextInt(MAX_MATRICES + 1), random.nextInt(RandomMatrices.MAX_ROWS));
  }

  /** Solves systems of usual generations and larger ones. */
  Optional<String> largeSolutions() {
    return solutions(1 + random.nextInt(2), largeColumns());
  }

  private Optional<String> solutions(int count, int n) {
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      Coefficients coefficients =
          random.nextInt(3) == 0
              ? ProductChecks.draws(random, count, n, n)
              : memory.square(count, n);
      return solve(memory, coefficients, ProductChecks.written(coefficients, arena));
    }
  }

  /** Solves three systems of which the second is singular; its solution must not be written. */
  Optional<String> singularAmongRegular() {
    int n = random.nextInt(1, RandomMatrices.MAX_ROWS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices matrices = memory.secondOfThreeSingular(n);
      return solve(memory, matrices, matrices);
    }
  }

  private Optional<String> solve(
      RandomMatrices memory, Coefficients coefficients, ByteMatrices written) {
    int k = random.nextInt(1, RandomMatrices.MAX_COLUMNS);
    ByteMatrices rights = memory.matrices(written.count(), written.rows(), k);
    ByteMatrices solutions = memory.matrices(written.count(), written.rows(), k);
    byte[] before = solutions.data().toArray(JAVA_BYTE);
    int[] ranks = engine.eliminations().solve(field, coefficients, rights, solutions);
    return memory.checkSolutions(written, rights, solutions, before, ranks);
  }

  /** Checks that invalid arguments are rejected before anything is written. */
  Optional<String> misuse() {
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices square = memory.matrices(2, 3, 3);
      ByteMatrices wide = memory.matrices(2, 3, 5);
      ByteMatrices solutions = memory.matrices(2, 3, 5);
      return firstOf(
          Stream.of(
              rejected("a system that is not square", wide, wide, solutions),
              rejected("more systems than right sides", square, wide.matrices(0, 1), solutions),
              rejected("more systems than solutions", square, wide, solutions.matrices(0, 1)),
              rejected("right sides of fewer rows", square, wide.rows(0, 2), solutions),
              rejected("solutions of fewer columns", square, wide, solutions.columns(0, 4)),
              rejected(
                  "right sides without columns",
                  square,
                  wide.columns(0, 0),
                  solutions.columns(0, 0))));
    }
  }

  private Optional<String> rejected(
      String misuse, ByteMatrices coefficients, ByteMatrices rights, ByteMatrices solutions) {
    return CheckFailures.rejected(
        misuse,
        IllegalArgumentException.class,
        () -> engine.eliminations().solve(field, coefficients, rights, solutions));
  }

  /** Adds random vectors one by one and checks the solved sources at random times. */
  Optional<String> basis() {
    int n = columns();
    int queries = random.nextInt(1, 20);
    byte[] received = new byte[n * n];
    byte[] bySlot = new byte[n * n];
    int rank = 0;
    try (Basis basis = engine.eliminations().basis(field, n)) {
      fillAndClear(basis);
      for (int step = 0; step < 2 * n && rank < n; step++) {
        byte[] vector = vectors.next(n, received, rank);
        MemorySegment segment = MemorySegment.ofArray(vector);
        System.arraycopy(vector, 0, received, rank * n, n);
        int expected = matrix(rank + 1, n, received, 0).rank();
        if (basis.isInnovative(segment) != (expected > rank)) {
          return Optional.of("innovation wrong at rank %d of %d".formatted(rank, n));
        }
        int slot = basis.add(segment);
        if ((slot == Basis.NOT_INNOVATIVE) == (expected > rank) || basis.rank() != expected) {
          return Optional.of("rank %d instead of %d of %d".formatted(basis.rank(), expected, n));
        }
        if (slot != Basis.NOT_INNOVATIVE) {
          System.arraycopy(vector, 0, bySlot, slot * n, n);
          rank = expected;
        }
        if (random.nextInt(queries) == 0 || rank == n) {
          Optional<String> failure = checkSolved(basis, matrix(rank, n, received, 0), bySlot);
          if (failure.isPresent()) {
            return failure;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Fills and clears the basis; {@link Basis#clear} must remove all state. */
  private void fillAndClear(Basis basis) {
    byte[] vector = new byte[basis.columns()];
    for (int i = random.nextInt(basis.columns() + 1); i > 0; i--) {
      random.nextBytes(vector);
      basis.add(MemorySegment.ofArray(vector));
      if (random.nextInt(8) == 0) {
        basis.solved();
      }
    }
    basis.clear();
  }

  private Optional<String> checkSolved(Basis basis, Gf256Matrix received, byte[] bySlot) {
    int n = basis.columns();
    Gf256Matrix reduced = received.rowReduce().form();
    byte[] solution = new byte[n];
    int solved = 0;
    for (int source = 0; source < n; source++) {
      if (basis.isSolved(source) != hasUnitRow(reduced, source)) {
        return Optional.of(
            "source %d of %d is wrong at rank %d".formatted(source, n, basis.rank()));
      }
      if (basis.isSolved(source)) {
        solved++;
        basis.solution(source, MemorySegment.ofArray(solution));
        Gf256Matrix combination = matrix(1, n, solution, 0).multiply(matrix(n, n, bySlot, 0));
        byte[] unit = new byte[n];
        unit[source] = 1;
        if (!combination.equals(matrix(1, n, unit, 0))) {
          return Optional.of("the solution of source %d of %d is wrong".formatted(source, n));
        }
      }
    }
    return solved == basis.solved()
        ? Optional.empty()
        : Optional.of(
            "%d blocks counted as solved instead of %d".formatted(basis.solved(), solved));
  }

  /** Returns a mostly small number, because the reference takes n⁴ steps. */
  private int columns() {
    return random.nextInt(1, random.nextInt(12) == 0 ? MAX_COLUMNS : FEW_COLUMNS);
  }

  private int largeColumns() {
    return random.nextBoolean() ? 128 << random.nextInt(2) : random.nextInt(129, 300);
  }

  private static boolean hasUnitRow(Gf256Matrix reduced, int column) {
    for (int row = 0; row < reduced.rows(); row++) {
      boolean unit = reduced.get(row, column) == 1;
      for (int j = 0; unit && j < reduced.columns(); j++) {
        unit = j == column || reduced.get(row, j) == 0;
      }
      if (unit) {
        return true;
      }
    }
    return false;
  }

  private Gf256Matrix matrix(int rows, int columns, byte[] data, int from) {
    return Gf256Matrix.of(
        field, rows, columns, Arrays.copyOfRange(data, from, from + rows * columns));
  }
}
