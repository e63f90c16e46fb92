package io.fieldstone.cpu.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the basis with the scalar one, on vectors that begin, leave and fill strips. */
class BlockedBasisTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;

  /** The kinds of vectors that arrive. */
  enum Arrival {
    DENSE {
      @Override
      void write(byte[] vector, byte[] former, SplittableRandom random) {
        random.nextBytes(vector);
      }
    },
    /** Uncoded blocks in any order, so that each may need another strip. */
    UNIT {
      @Override
      void write(byte[] vector, byte[] former, SplittableRandom random) {
        vector[random.nextInt(vector.length)] = (byte) random.nextInt(1, 256);
      }
    },
    /** Entries in the last columns only: the first free column is in no strip with a pivot. */
    LATE {
      @Override
      void write(byte[] vector, byte[] former, SplittableRandom random) {
        for (int at = vector.length * 2 / 3; at < vector.length; at++) {
          vector[at] = (byte) random.nextInt();
        }
        if (random.nextInt(3) == 0) {
          vector[random.nextInt(vector.length)] ^= 1;
        }
      }
    },
    /** Multiples of the vector before, between dense ones: these are not innovative. */
    REPEATED {
      @Override
      void write(byte[] vector, byte[] former, SplittableRandom random) {
        if (random.nextBoolean()) {
          random.nextBytes(vector);
        } else {
          int factor = random.nextInt(256);
          for (int at = 0; at < vector.length; at++) {
            vector[at] = (byte) FIELD.multiply(factor, former[at] & 0xFF);
          }
        }
      }
    };

    abstract void write(byte[] vector, byte[] former, SplittableRandom random);
  }

  @ParameterizedTest
  @EnumSource
  void equalsTheScalarBasis(Arrival arrival) {
    var random = new SplittableRandom(21);
    for (int columns : new int[] {1, 2, 64, 65, 140}) {
      for (int multiple : new int[] {1, 64, 96}) {
        compare(withMultiple(new WordKernel(FIELD), multiple), columns, arrival, random);
      }
    }
  }

  static List<NativeLevel> levels() {
    return NativeLibrary.get().levels(NativeProductKernel.NAME);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("levels")
  void equalsTheScalarBasisWithNativeKernels(NativeLevel level) {
    var random = new SplittableRandom(22);
    ProductKernel kernel = NativeProductKernel.of(NativeLibrary.get(), level, FIELD);
    for (Arrival arrival : Arrival.values()) {
      for (int columns : new int[] {1, 2, 63, 64, 65, 140, 300}) {
        compare(kernel, columns, arrival, random);
        compare(beginningInJava(kernel), columns, arrival, random);
      }
    }
  }

  private static void compare(
      ProductKernel kernel, int columns, Arrival arrival, SplittableRandom random) {
    try (Basis basis = new BlockedBasis(FIELD, kernel, columns, Arena.ofConfined());
        Basis scalar = new ScalarBasis(FIELD, columns)) {
      compare(basis, scalar, arrival, random);
      basis.clear();
      scalar.clear();
      compare(basis, scalar, arrival, random);
    }
  }

  /** Reduces by products in the first two strips, as before the native kernels are loaded. */
  private static ProductKernel beginningInJava(ProductKernel kernel) {
    return new ProductKernel() {
      private int strips;

      @Override
      public void multiply(
          int m,
          int n,
          int columns,
          Rows coefficients,
          Rows sources,
          Rows products,
          boolean accumulate) {
        kernel.multiply(m, n, columns, coefficients, sources, products, accumulate);
      }

      @Override
      public Optional<BasisReduction> reduction(BasisReduction.Parts parts, Arena arena) {
        return strips++ < 2 ? Optional.empty() : kernel.reduction(parts, arena);
      }
    };
  }

  private static void compare(Basis basis, Basis scalar, Arrival arrival, SplittableRandom random) {
    int columns = basis.columns();
    byte[][] received = new byte[columns][columns];
    byte[] former = new byte[columns];
    for (int i = 0; i < 2 * columns; i++) {
      byte[] vector = new byte[columns];
      arrival.write(vector, former, random);
      MemorySegment segment = MemorySegment.ofArray(vector);
      boolean innovative = scalar.add(segment) != Basis.NOT_INNOVATIVE;
      if (random.nextInt(4) == 0) {
        assertThat(basis.isInnovative(segment)).isEqualTo(innovative);
      }
      int slot = basis.add(segment);
      assertThat(slot != Basis.NOT_INNOVATIVE).isEqualTo(innovative);
      assertThat(basis.rank()).isEqualTo(scalar.rank());
      if (innovative) {
        assertThat(basis.isFilled(slot)).isTrue();
        received[slot] = vector;
      }
      if (random.nextInt(columns) == 0) {
        assertSolutions(basis, scalar, received);
      }
      former = vector;
    }
    assertSolutions(basis, scalar, received);
  }

  /** The slots may differ from those of the scalar basis; the combinations must be the sources. */
  private static void assertSolutions(Basis basis, Basis scalar, byte[][] received) {
    int columns = basis.columns();
    assertThat(basis.solved()).isEqualTo(scalar.solved());
    byte[] solution = new byte[columns];
    for (int source = 0; source < columns; source++) {
      assertThat(basis.isSolved(source)).isEqualTo(scalar.isSolved(source));
      if (basis.isSolved(source)) {
        basis.solution(source, MemorySegment.ofArray(solution));
        byte[] sum = new byte[columns];
        for (int slot = 0; slot < columns; slot++) {
          if (solution[slot] != 0 && !basis.isFilled(slot)) {
            throw new AssertionError("slot %d is empty".formatted(slot));
          }
          for (int at = 0; at < columns; at++) {
            sum[at] ^= (byte) FIELD.multiply(solution[slot] & 0xFF, received[slot][at] & 0xFF);
          }
        }
        byte[] unit = new byte[columns];
        unit[source] = 1;
        assertThat(sum).isEqualTo(unit);
      }
    }
  }

  private static ProductKernel withMultiple(ProductKernel kernel, int multiple) {
    return new ProductKernel() {
      @Override
      public void multiply(
          int m,
          int n,
          int columns,
          Rows coefficients,
          Rows sources,
          Rows products,
          boolean accumulate) {
        kernel.multiply(m, n, columns, coefficients, sources, products, accumulate);
      }

      @Override
      public int columnMultiple() {
        return multiple;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"3, 4", "64, 65"})
  void rejectsALongerVector(int columns, int length) {
    try (Basis basis =
        new BlockedBasis(FIELD, new WordKernel(FIELD), columns, Arena.ofConfined())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> basis.add(MemorySegment.ofArray(new byte[length])))
          .withMessage("vector of %d coefficients, expected at most %d".formatted(length, columns));
    }
  }

  @Test
  void failsAfterItIsClosed() {
    Basis basis = new BlockedBasis(FIELD, new WordKernel(FIELD), 3, Arena.ofConfined());
    basis.close();
    basis.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> basis.add(MemorySegment.ofArray(new byte[] {1})))
        .withMessage("the basis is closed");
  }
}
