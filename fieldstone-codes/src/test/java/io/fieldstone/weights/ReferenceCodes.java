package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.MatrixText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Codes and their joint weight distributions from the test resources; README.md there has more. */
final class ReferenceCodes {

  /** Codes that have a generator matrix and a joint weight distribution. */
  static final List<String> NAMES =
      List.of(
          "hamming_7_4",
          "exthamming_8_4",
          "bch_15_5",
          "bch_15_7",
          "rm_1_4",
          "rm_1_5",
          "rm_2_5",
          "golay_23_12",
          "extgolay_24_12",
          "bch_31_6",
          "bch_31_11",
          "bch_31_16",
          "bch_63_10",
          "bch_127_15");

  private ReferenceCodes() {}

  static BinaryCode code(String name) {
    try {
      return BinaryCode.of(MatrixText.parse(name, text(name + ".gen")));
    } catch (MalformedMatrixException e) {
      throw new AssertionError(e);
    }
  }

  static JointWeightDistribution joint(String name) {
    List<JointWeightDistribution.Entry> entries = new ArrayList<>();
    for (String line : lines("jwd_" + name + ".csv")) {
      String[] numbers = line.split(",");
      entries.add(
          new JointWeightDistribution.Entry(
              Integer.parseInt(numbers[0]),
              Integer.parseInt(numbers[1]),
              Integer.parseInt(numbers[2]),
              new BigInteger(numbers[3])));
    }
    return new JointWeightDistribution(code(name).length(), entries);
  }

  /** The lines of a table without its header. */
  static List<String> lines(String file) {
    return text(file).lines().skip(1).filter(line -> !line.isBlank()).toList();
  }

  private static String text(String file) {
    try (InputStream in = ReferenceCodes.class.getResourceAsStream("jwd/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
