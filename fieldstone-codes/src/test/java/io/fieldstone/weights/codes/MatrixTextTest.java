package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf2Matrix;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixTextTest {

  private static final String ALIST =
      """
      7 3
      3 4
      1 1 2 1 2 2 3
      4 4 4
      1 0 0
      2 0 0
      1 2 0
      3 0 0
      1 3 0
      2 3 0
      1 2 3
      1 3 5 7
      2 3 6 7
      4 5 6 7
      """;

  private static Gf2Matrix parse(String text) throws MalformedMatrixException {
    return MatrixText.parse("code.txt", text);
  }

  @Test
  void rows() throws MalformedMatrixException {
    Gf2Matrix expected = Gf2Matrix.of("1011", "0110");
    assertThat(parse("1011\n0110\n")).isEqualTo(expected);
    assertThat(parse("# a code\n4 2\n1 0 1 1\n\n0110 # the last\n")).isEqualTo(expected);
    assertThat(parse("1011\r\n0110")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1,0,1,1\n0,1,1,0\n",
        "1, 0, 1, 1\r\n0, 1, 1, 0\r\n",
        "1,0,1,1,\n0,1,1,0,\n",
        "\uFEFF1011\n0110\n",
        "\uFEFF[1,0,1,1]\n[0,1,1,0]",
      })
  void rowsOfSpreadsheets(String text) throws MalformedMatrixException {
    assertThat(parse(text)).isEqualTo(Gf2Matrix.of("1011", "0110"));
  }

  /** As Sage, NumPy, Python, GAP and MATLAB print matrices. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1 0 1 1]\n[0 1 1 0]\n",
        "[1 0|1 1]\n[0 1|1 0]",
        "[[1 0 1 1]\n [0 1 1 0]]",
        "[[1, 0, 1, 1], [0, 1, 1, 0]]",
        "[ [ 1, 0, 1, 1 ], # the first\n  [ 0, 1, 1, 0 ] ]",
        "[\n[1,0,1,1],\n[0,1,1,0]\n]",
        "[1 0 1 1; 0 1 1 0]",
        "[1011]\n0110",
      })
  void rowsInBrackets(String text) throws MalformedMatrixException {
    assertThat(parse(text)).isEqualTo(Gf2Matrix.of("1011", "0110"));
  }

  /** They begin like the two lines of numbers of an alist, or like a header. */
  @Test
  void rowsInTwoGroups() throws MalformedMatrixException {
    Gf2Matrix expected = Gf2Matrix.of("1000011", "0100101", "0010110", "0001111");
    String rows = "1000 011\n0100 101\n0010 110\n0001 111\n";
    assertThat(parse(rows)).isEqualTo(expected);
    assertThat(parse("7 4\n" + rows)).isEqualTo(expected);
    assertThat(parse("11 10\n10 01\n01 10")).isEqualTo(Gf2Matrix.of("1110", "1001", "0110"));
    String wide = "1".repeat(90) + " " + "0".repeat(10) + "\n";
    assertThat(parse(wide.repeat(3)).columns()).isEqualTo(100);
    assertThat(parse(wide.repeat(4)).rows()).isEqualTo(4);
    assertThat(parse("0000 1111\n0011 0011\n0101 0101\n1111 1111").rows()).isEqualTo(4);
  }

  @Test
  void headersOfOnesAndZeros() throws MalformedMatrixException {
    assertThat(parse("10 1\n1111111111").columns()).isEqualTo(10);
    assertThat(parse("11 10\n" + "10000000001\n".repeat(10)).rows()).isEqualTo(10);
  }

  @Test
  void alist() throws MalformedMatrixException {
    Gf2Matrix matrix = parse(ALIST);
    assertThat(matrix).isEqualTo(Gf2Matrix.of("1010101", "0110011", "0001111"));
    assertThat(BinaryCode.ofParityCheck(matrix)).isEqualTo(CodeFamily.hamming(3));
  }

  @ParameterizedTest
  @CsvSource({
    "'1011|011', 'line 2: the row has 3 digits, earlier rows have 4'",
    "'1011|01x1', 'line 2: ''x'' at character 3'",
    "'', 'no row'",
    "'[]', 'no row'",
    "'[1 0]|[1 0 1]', 'line 2: the row has 3 digits, earlier rows have 2'",
    "'[[1, 0], [0, 2]]', 'line 1: ''2'' at character 14'",
    "'1,,0|0,1', 'line 1: '','' at character 3'",
    "',1|0,1', 'line 1: '','' at character 1'",
    "'1 , x', 'line 1: ''x'' at character 5'",
    "'4 3|1011|0110', 'the header gives n = 4 and k = 3, but there are 2 rows'",
    "'4 2', 'no rows follow'"
  })
  void badRows(String text, String part) {
    assertThatThrownBy(() -> parse(text.replace('|', '\n')))
        .isInstanceOf(MalformedMatrixException.class)
        .hasMessageStartingWith("code.txt, line")
        .hasMessageContaining(part);
  }

  @Test
  void rowsThatAreTooLong() {
    assertThatThrownBy(() -> parse("0".repeat(257))).hasMessageContaining("more than 256");
  }

  @Test
  void badAlist() {
    assertThatThrownBy(() -> parse(ALIST.replace("4 5 6 7", "3 5 6 7")))
        .hasMessageContaining("line 14: column 3");
    assertThatThrownBy(() -> parse(ALIST.replace("3 0 0", "4 0 0")))
        .hasMessageContaining("line 8: 4 is not in 1…3");
    assertThatThrownBy(() -> parse(ALIST.replace("1 2 3\n", "1 2 2\n")))
        .hasMessageContaining("line 11");
    assertThatThrownBy(() -> parse("7 3\n3 4\n1 1 2 1 2 2 3\n4 4 4\n"))
        .hasMessageContaining("4 lines, expected ");
  }

  /** Any text gives a matrix, or an error with its place. */
  @Test
  void damagedTexts() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 3000; i++) {
      StringBuilder text =
          new StringBuilder(random.nextBoolean() ? ALIST : "6 2\n101101\n011011\n");
      for (int change = random.nextInt(4); change >= 0; change--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, "0123 9\n#x".charAt(random.nextInt(9)));
          default -> text.setCharAt(at, "01 27\n-".charAt(random.nextInt(7)));
        }
      }
      try {
        assertThat(parse(text.toString()).columns()).isBetween(1, 256);
      } catch (MalformedMatrixException e) {
        assertThat(e).hasMessageMatching("(?s)code.txt, line \\d+: .+");
      }
    }
  }

  /** Characters that Java takes for blanks, but its regular expressions do not. */
  @ParameterizedTest
  @ValueSource(strings = {"\u001c", "\u001f", "\u2003", "\u3000", "\t"})
  void anyBlankMayStandBetweenDigits(String blank) throws MalformedMatrixException {
    assertThat(parse("1" + blank + "0\n01\n")).isEqualTo(Gf2Matrix.of("10", "01"));
    assertThatThrownBy(() -> parse("1" + blank + "0\n011\n"))
        .isInstanceOf(MalformedMatrixException.class)
        .hasMessageContaining("the row has 3 digits, earlier rows have 2");
  }
}
