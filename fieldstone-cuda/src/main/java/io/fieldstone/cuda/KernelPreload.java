package io.fieldstone.cuda;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Runs the coding kernels of an engine once, because the driver loads a kernel at its first launch.
 */
final class KernelPreload {

  private static final int SIZE = 64;

  private final Engine engine;
  private final Gf256 field;

  KernelPreload(Engine engine, Gf256 field) {
    this.engine = engine;
    this.field = field;
  }

  void run() {
    try (Arena arena = Arena.ofConfined();
        ResidentBlocks blocks = engine.allocate(field, 1, SIZE, SIZE);
        ResidentBlocks results = engine.allocate(field, 1, SIZE, SIZE)) {
      ByteMatrices matrix = matrix(arena);
      Coefficients draws = new RandomCoefficients(1, 0, 0, 0, 1, SIZE, SIZE);
      engine.products().multiply(field, draws, matrix, matrix(arena));
      engine.eliminations().invert(field, matrix(arena), matrix(arena));
      blocks.store(matrix);
      blocks.multiply(0, draws, results, 0);
      results.solve(0, draws, matrix);
      warmUpDecoding(matrix);
    }
  }

  private void warmUpDecoding(ByteMatrices identity) {
    for (int i = 0; i < SIZE; i++) {
      identity.row(0, i).fill((byte) 0).set(ValueLayout.JAVA_BYTE, i, (byte) 1);
    }
    try (Arena arena = Arena.ofConfined();
        Substitution frames = engine.substitutions().open(field, SIZE, SIZE);
        ProgressiveElimination blocks = engine.progressive(field, SIZE, SIZE)) {
      engine.substitutions().solve(field, identity, identity, matrix(arena));
      for (int i = 0; i < 2; i++) {
        MemorySegment row = identity.row(0, i);
        frames.next(row, row, arena.allocate(SIZE));
        blocks.add(row, row);
      }
    }
  }

  private static ByteMatrices matrix(Arena arena) {
    return ByteMatrices.of(arena.allocate((long) SIZE * SIZE), SIZE, SIZE);
  }
}
