package io.fieldstone.bench.pcrc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.pcrc.PcrcPaper.Figure;
import io.fieldstone.bench.pcrc.PcrcPaper.Method;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The checks of docs/errata.md on PCRC, IX, by its own tables. */
class PcrcTablesErrataTest {

  @Test
  void theBestStreamDimDependsOnTheRegister() {
    assertThat(bestStreams(PcrcCode.CRC_8, Figure::overBitwise)).isEqualTo(2);
    assertThat(bestStreams(PcrcCode.CRC_16, Figure::overBitwise)).isEqualTo(2);
    assertThat(bestStreams(PcrcCode.CRC_32, Figure::overBitwise)).isEqualTo(4);
    assertThat(bestStreams(PcrcCode.CRC_8, Figure::overBytewise)).isEqualTo(2);
    assertThat(bestStreams(PcrcCode.CRC_16, Figure::overBytewise)).isEqualTo(2);
    assertThat(bestStreams(PcrcCode.CRC_32, Figure::overBytewise)).isEqualTo(4);
  }

  /** Returns StreamDim of the table with the highest figure of parallelism by tasks. */
  private static int bestStreams(PcrcCode code, ToDoubleFunction<Figure> figure) {
    double best = 0;
    int streams = 0;
    for (PcrcPaper.Test test : PcrcPaper.TESTS) {
      for (Figure one : test.of(code)) {
        if (one.method() == Method.STREAMS && figure.applyAsDouble(one) > best) {
          best = figure.applyAsDouble(one);
          streams = test.streams();
        }
      }
    }
    return streams;
  }
}
