package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.DecodingChecks;
import io.fieldstone.engine.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes larger systems than the conformance suite and compares them with the CPU. */
abstract class PaperDecodingContract {

  private final DecodingChecks checks = new DecodingChecks(this::open);

  /** Opens an engine on GPU 0, which the caller closes. */
  abstract Engine open(String spec);

  @ParameterizedTest
  @CsvSource({"1, 1", "33, 47", "66, 300"})
  void blocksAreEliminatedAsOnTheProcessor(int n, int k) {
    checks.blocksAreEliminatedAsOnTheProcessor("cuda:0:assisted", n, k);
  }

  @Test
  void shortVectorsEndInZeros() {
    checks.shortVectorsEndInZeros("cuda:0:assisted");
  }

  @ParameterizedTest
  @CsvSource({"cuda:0:baseline, 70, 601", "cuda:0:hpds, 70, 301", "cuda:0:hpds, 34, 1"})
  void framesAreSolvedAsTheyArrive(String spec, int n, int k) {
    checks.framesAreSolvedAsTheyArrive(spec, n, k);
  }

  @ParameterizedTest
  @CsvSource({
    "cuda:0:baseline, 3, 90, 40",
    "cuda:0:baseline, 40, 5, 1030",
    "cuda:0:hpds, 2, 90, 41",
    "cuda:0:hpds, 40, 5, 1030",
    "cuda:0:hpds, 1, 7, 700001"
  })
  void generationsAreSolvedAtOnce(String spec, int count, int n, int k) {
    checks.generationsAreSolvedAtOnce(spec, count, n, k);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda:0:baseline", "cuda:0:hpds"})
  void residentGenerationsAreSolvedInOrder(String spec) {
    checks.residentGenerationsAreSolvedInOrder(spec);
  }
}
