package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Generators of stabilizers: printed as operators, they are read as the same. */
public class StabilizerFileFuzzTest {

  private static final int MAX_QUBITS = 40;

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      StabilizerCode code = StabilizerFile.parse("file", data, MAX_QUBITS);
      assertThat(code.qubits()).isBetween(1, MAX_QUBITS);
      assertThat(code.logicalQubits()).isBetween(0, code.qubits());
      StringJoiner lines = new StringJoiner("\n");
      for (int row = 0; row < code.generators().rows(); row++) {
        lines.add(PauliText.format(BitSet.valueOf(code.generators().row(row)), code.qubits()));
      }
      if (code.generators().rows() > 0) {
        assertThat(parse(lines.toString()).generators()).isEqualTo(code.generators());
      }
    } catch (MalformedMatrixException e) {
      assertThat(e).hasMessageStartingWith("file");
    }
  }

  private static StabilizerCode parse(String text) throws MalformedMatrixException {
    return StabilizerFile.parse("file", text.getBytes(StandardCharsets.UTF_8), MAX_QUBITS);
  }

  @Test
  void replays() throws Exception {
    Replay.run(StabilizerFileFuzzTest.class, StabilizerFileFuzzTest::fuzzerTestOneInput);
  }
}
