package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.coding.decoding.CudaProgressiveElimination;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.field.Gf256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decodes larger systems than the conformance suite and compares them with the CPU. */
abstract class DecodingContract {

  private static final Gf256 FIELD = Gf256.RIJNDAEL;

  private final DecodingChecks checks = new DecodingChecks(this::open);

  /** Opens an engine on GPU 0, which the caller closes. */
  abstract Engine open(String spec);

  /** Many slices of coefficients, wide slices of long payloads, whole and broken vectors. */
  @ParameterizedTest
  @CsvSource({"1, 1", "16, 16", "33, 47", "49, 100", "130, 70", "5, 20000"})
  void blocksAreEliminatedAsOnTheProcessor(int n, int k) {
    checks.blocksAreEliminatedAsOnTheProcessor("cuda:0", n, k);
  }

  @Test
  void shortVectorsEndInZeros() {
    checks.shortVectorsEndInZeros("cuda:0");
  }

  @Test
  void largeSystemsAreTheProcessors() {
    try (Engine engine = open("cuda:0");
        Engine byVectors = open("cuda:0:cpu-vectors");
        ProgressiveElimination large = engine.progressive(FIELD, 8193, 1);
        ProgressiveElimination small = byVectors.progressive(FIELD, 5, 1)) {
      assertThat(large).isNotInstanceOf(CudaProgressiveElimination.class);
      assertThat(small).isNotInstanceOf(CudaProgressiveElimination.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"70, 300", "3, 1025"})
  void framesAreSolvedAsTheyArrive(int n, int k) {
    checks.framesAreSolvedAsTheyArrive("cuda:0", n, k);
  }

  /** Blocks that a product has had laid out for the tensor cores, and that came in any order. */
  @Test
  void residentGenerationsAreSolvedInOrder() {
    checks.residentGenerationsAreSolvedInOrder("cuda:0");
  }
}
