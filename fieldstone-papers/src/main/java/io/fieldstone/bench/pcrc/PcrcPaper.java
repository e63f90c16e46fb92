package io.fieldstone.bench.pcrc;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Holds the figures of De Marchi and Capogrosso, "Parallel CRC algorithm and implementation with
 * CUDA" (PCRC), Sec. VIII: speed-ups over the bitwise and the bytewise method.
 */
final class PcrcPaper {

  /** Bits of a message; N counts bits throughout the paper (Sec. V and VII). */
  static final int MESSAGE_BITS = 1 << 16;

  private PcrcPaper() {}

  /** The methods of the paper, in the order of its tables. */
  enum Method {
    /** The first thread of a block adds the sums of the others. */
    STANDARD("pcrc"),
    /** Half of the threads add in each step. */
    REDUCTION("pcrc-reduction"),
    /** Streams copy and divide segments of the message concurrently. */
    STREAMS("pcrc-streams");

    private final String spec;

    Method(String spec) {
      this.spec = spec;
    }

    /** Returns its name on an engine. */
    String spec() {
      return spec;
    }
  }

  /**
   * A figure of a table.
   *
   * @param code one of {@link PcrcCode#OF_PAPER}
   * @param method of the paper
   * @param overBitwise speed-up over the bitwise method
   * @param overBytewise speed-up over the bytewise method
   */
  record Figure(PcrcCode code, Method method, double overBitwise, double overBytewise) {}

  /**
   * A table.
   *
   * @param letter its name
   * @param blockSize threads of a block
   * @param streams StreamDim
   * @param segments segments of a message for the streams: N / SegSize
   * @param figures of every code and method
   */
  record Test(String letter, int blockSize, int streams, int segments, List<Figure> figures) {

    /** Returns the figures of a code. */
    List<Figure> of(PcrcCode code) {
      return figures.stream().filter(figure -> figure.code() == code).toList();
    }

    /** Returns the name of a method with the parameters of this table, as engines parse it. */
    String spec(Method method) {
      return method == Method.STREAMS
          ? "%s@%d,%d,%d".formatted(method.spec(), blockSize, streams, segments)
          : "%s@%d".formatted(method.spec(), blockSize);
    }

    /** Returns the title, with the parameters of the table. */
    String title() {
      return "Table %s: N = 2^16, BlockSize = %d, StreamDim = %d, SegSize = N/%d"
          .formatted(letter, blockSize, streams, segments);
    }
  }

  /** Table B, the best in general, according to the text. */
  static final Test BEST =
      test(
          "B",
          128,
          4,
          4,
          figures(PcrcCode.CRC_8, 34.63720, 37.41059, 28.19650, 2.24552, 2.70207, 2.02773),
          figures(PcrcCode.CRC_16, 34.14637, 40.48397, 25.37525, 3.57066, 3.60613, 1.49754),
          figures(PcrcCode.CRC_32, 20.41607, 21.54121, 8.51250, 1.89645, 1.85455, 0.79350));

  /** All tables. */
  static final List<Test> TESTS =
      List.of(
          test(
              "A",
              64,
              4,
              4,
              figures(PcrcCode.CRC_8, 34.71340, 37.40804, 27.86828, 2.58712, 2.61057, 1.93434),
              figures(PcrcCode.CRC_16, 34.98040, 40.59672, 26.11727, 3.44060, 3.85280, 1.51222),
              figures(PcrcCode.CRC_32, 20.23205, 20.01593, 8.46386, 1.78715, 1.86166, 0.71914)),
          BEST,
          test(
              "C",
              256,
              4,
              4,
              figures(PcrcCode.CRC_8, 35.11670, 37.36065, 29.85230, 2.66612, 2.71714, 2.00425),
              figures(PcrcCode.CRC_16, 33.09628, 39.25975, 27.58368, 3.53824, 3.66416, 1.54122),
              figures(PcrcCode.CRC_32, 20.29566, 21.39834, 7.98474, 1.75776, 1.80291, 0.68456)),
          test(
              "D",
              128,
              2,
              2,
              figures(PcrcCode.CRC_8, 21.32339, 39.41265, 32.97171, 2.70535, 2.64768, 2.48787),
              figures(PcrcCode.CRC_16, 33.66302, 38.77745, 30.44083, 3.46636, 3.59283, 2.80089),
              figures(PcrcCode.CRC_32, 20.42403, 21.38471, 7.35099, 1.87434, 1.86528, 0.72902)),
          test(
              "E",
              128,
              8,
              8,
              figures(PcrcCode.CRC_8, 35.05756, 38.59024, 11.97966, 2.65855, 2.73349, 1.20074),
              figures(PcrcCode.CRC_16, 34.06469, 38.96202, 11.68695, 3.87572, 3.22093, 1.58960),
              figures(PcrcCode.CRC_32, 20.83102, 22.14467, 6.38649, 1.94807, 1.91344, 0.65893)),
          test(
              "F",
              128,
              4,
              8,
              figures(PcrcCode.CRC_8, 35.41841, 40.88182, 17.13281, 2.40438, 2.97784, 0.47928),
              figures(PcrcCode.CRC_16, 34.66451, 42.29803, 16.70620, 4.04358, 3.76574, 1.51226),
              figures(PcrcCode.CRC_32, 21.27053, 21.97304, 7.47568, 1.92987, 1.90569, 0.52763)));

  /** Returns the highest figure of all tables for a code. */
  static double best(PcrcCode code, ToDoubleFunction<Figure> figure) {
    return TESTS.stream()
        .flatMap(test -> test.of(code).stream())
        .mapToDouble(figure)
        .max()
        .orElseThrow();
  }

  private static Test test(
      String letter,
      int blockSize,
      int streams,
      int segments,
      List<Figure> crc8,
      List<Figure> crc16,
      List<Figure> crc32) {
    return new Test(
        letter,
        blockSize,
        streams,
        segments,
        Stream.of(crc8, crc16, crc32).flatMap(List::stream).toList());
  }

  /**
   * Returns the figures of a code: over bitwise for each method, then over bytewise, as the paper
   * lists them.
   */
  private static List<Figure> figures(
      PcrcCode code,
      double standard,
      double reduction,
      double streams,
      double standardOverBytewise,
      double reductionOverBytewise,
      double streamsOverBytewise) {
    return List.of(
        new Figure(code, Method.STANDARD, standard, standardOverBytewise),
        new Figure(code, Method.REDUCTION, reduction, reductionOverBytewise),
        new Figure(code, Method.STREAMS, streams, streamsOverBytewise));
  }
}
