package io.fieldstone.conformance;

import static io.fieldstone.conformance.RandomMatrices.MAX_COLUMNS;
import static io.fieldstone.conformance.RandomMatrices.MAX_MATRICES;
import static io.fieldstone.conformance.RandomMatrices.MAX_ROWS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares random triangular systems with HPDS, Equation 1, symbol by symbol. */
final class SubstitutionChecks {

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;

  SubstitutionChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
  }

  /** Solves a few small systems; any dimension may be zero. */
  Optional<String> systems() {
    return systems(
        random.nextInt(MAX_MATRICES + 1), random.nextInt(MAX_ROWS), random.nextInt(MAX_COLUMNS));
  }

  /** Solves systems large enough for an engine to split them in both dimensions. */
  Optional<String> largeSystems() {
    return systems(1 + random.nextInt(2), 40 + random.nextInt(30), 3000 + random.nextInt(2000));
  }

  private Optional<String> systems(int count, int n, int k) {
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices lower = lower(memory, count, n);
      ByteMatrices rights = memory.matrices(count, n, k);
      ByteMatrices solutions = memory.matrices(count, n, k);
      byte[] expected = solutions.data().toArray(JAVA_BYTE);
      substitute(lower, rights, solutions, expected);
      engine.substitutions().solve(field, lower, rights, solutions);
      return memory.compare(
          "%d triangular systems of %d×%d".formatted(count, n, k), solutions, expected);
    }
  }

  /** Solves systems with resident right sides, in random order among other rows. */
  Optional<String> residentSystems() {
    int count = random.nextInt(1, MAX_MATRICES + 1);
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    int spare = random.nextInt(5);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices stored = memory.matrices(count, n + spare, k);
      int first = random.nextInt(count);
      int made = count - first;
      ByteMatrices lower = lower(memory, made, n);
      ByteMatrices sorted = memory.matrices(made, n, k);
      int[] order = new int[made * n];
      for (int g = 0; g < made; g++) {
        int[] rows = permutation(n + spare);
        for (int s = 0; s < n; s++) {
          order[g * n + s] = rows[s];
          sorted.row(g, s).copyFrom(stored.row(first + g, rows[s]));
        }
      }
      ByteMatrices solutions = memory.matrices(made, n, k);
      byte[] expected = solutions.data().toArray(JAVA_BYTE);
      substitute(lower, sorted, solutions, expected);
      try (ResidentBlocks rights = engine.load(field, stored)) {
        engine.substitutions().solve(lower, rights, first, order, solutions);
      }
      return memory.compare(
          "resident triangular systems of %d×%d".formatted(n, k), solutions, expected);
    }
  }

  /** Solves two systems frame by frame in the same memory, with one invalid frame. */
  Optional<String> frameByFrame() {
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined();
        Substitution substitution = engine.substitutions().open(field, n, k)) {
      for (int round = 0; round < 2; round++) {
        RandomMatrices memory = new RandomMatrices(field, random, arena);
        ByteMatrices lower = lower(memory, 1, n);
        ByteMatrices rights = memory.matrices(1, n, k);
        ByteMatrices solutions = memory.matrices(1, n, k);
        byte[] expected = solutions.data().toArray(JAVA_BYTE);
        substitute(lower, rights, solutions, expected);
        int zero = random.nextInt(n);
        for (int s = 0; s < n; s++) {
          if (substitution.solved() != s) {
            return Optional.of(
                "%d of %d frames counted as solved instead of %d"
                    .formatted(substitution.solved(), n, s));
          }
          MemorySegment vector = lower.row(0, s).asSlice(0, random.nextBoolean() ? n : s + 1);
          MemorySegment payload = rights.row(0, s);
          MemorySegment block = solutions.row(0, s);
          if (s == zero && !rejectsZero(substitution, vector, payload, block)) {
            return Optional.of("a frame whose own coefficient is zero is not rejected");
          }
          if (random.nextInt(4) == 0) {
            block.copyFrom(payload);
            payload = block;
          }
          substitution.next(vector, payload, block);
        }
        Optional<String> failure =
            memory.compare("%d frames of %d bytes".formatted(n, k), solutions, expected);
        if (failure.isPresent()) {
          return failure;
        }
        substitution.clear();
      }
    }
    return Optional.empty();
  }

  /** Checks that a zero on a diagonal is rejected before anything is written. */
  Optional<String> zeroDiagonal() {
    int n = random.nextInt(1, MAX_ROWS);
    int k = random.nextInt(1, MAX_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      ByteMatrices lower = lower(memory, 2, n);
      int row = random.nextInt(n);
      lower.row(1, row).set(JAVA_BYTE, row, (byte) 0);
      ByteMatrices rights = memory.matrices(2, n, k);
      ByteMatrices solutions = memory.matrices(2, n, k);
      byte[] before = solutions.data().toArray(JAVA_BYTE);
      try {
        engine.substitutions().solve(field, lower, rights, solutions);
        return Optional.of("a zero on a diagonal is not rejected");
      } catch (IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("generation 1") && message.contains("row " + row)
            ? memory.compare("solutions of a rejected system", solutions, before)
            : Optional.of("a zero in row %d of generation 1: '%s'".formatted(row, message));
      }
    }
  }

  private static boolean rejectsZero(
      Substitution substitution, MemorySegment vector, MemorySegment payload, MemorySegment block) {
    byte[] zero = vector.toArray(JAVA_BYTE);
    zero[substitution.solved()] = 0;
    try {
      substitution.next(MemorySegment.ofArray(zero), payload, block);
      return false;
    } catch (IllegalArgumentException _) {
      return true;
    }
  }

  /** Returns random matrices with nonzero diagonals; entries above them must be ignored. */
  private ByteMatrices lower(RandomMatrices memory, int count, int n) {
    ByteMatrices lower = memory.matrices(count, n, n);
    for (int g = 0; g < count; g++) {
      for (int row = 0; row < n; row++) {
        int entry = random.nextInt(4) == 0 ? 1 : random.nextInt(1, 256);
        lower.row(g, row).set(JAVA_BYTE, row, (byte) entry);
      }
    }
    return lower;
  }

  private int[] permutation(int length) {
    int[] rows = new int[length];
    for (int i = 0; i < length; i++) {
      int at = random.nextInt(i + 1);
      rows[i] = rows[at];
      rows[at] = i;
    }
    return rows;
  }

  /** Computes HPDS, Equation 1, into {@code expected}, a copy of the solutions' memory. */
  private void substitute(
      ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions, byte[] expected) {
    for (int g = 0; g < lower.count(); g++) {
      byte[][] solved = new byte[lower.rows()][];
      for (int s = 0; s < lower.rows(); s++) {
        byte[] vector = lower.row(g, s).toArray(JAVA_BYTE);
        byte[] rest = rights.row(g, s).toArray(JAVA_BYTE);
        for (int i = 0; i < s; i++) {
          RandomMatrices.addMultiple(field, vector[i] & 0xFF, solved[i], rest, 0);
        }
        for (int c = 0; c < rest.length; c++) {
          rest[c] = (byte) field.divide(rest[c] & 0xFF, vector[s] & 0xFF);
        }
        solved[s] = rest;
        System.arraycopy(rest, 0, expected, (int) solutions.offset(g, s), rest.length);
      }
    }
  }
}
