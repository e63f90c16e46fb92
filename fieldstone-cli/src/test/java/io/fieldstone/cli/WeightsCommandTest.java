package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class WeightsCommandTest {

  private static final String HAMMING = "1000110\n0100101\n0010011\n0001111\n";
  private static final String HAMMING_WEIGHTS = "weight,count\n0,1\n3,7\n4,7\n7,1\n";

  @TempDir Path directory;

  private RunOf weights(String... arguments) {
    String[] words = new String[arguments.length + 1];
    words[0] = "weights";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    return RunOf.fieldstone(words);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void countsTheWordsOfACode() throws IOException {
    assertThat(weights("hamming:3")).isEqualTo(new RunOf(0, HAMMING_WEIGHTS, ""));
    assertThat(weights(file("g", HAMMING))).isEqualTo(new RunOf(0, HAMMING_WEIGHTS, ""));
    assertThat(weights(file("h", "1101100\n1011010\n0111001\n"), "--parity-check").out())
        .isEqualTo(HAMMING_WEIGHTS);
    RunOf fromStandardInput =
        RunOf.reading(
            new ByteArrayInputStream(HAMMING.getBytes(StandardCharsets.UTF_8)), "weights", "-");
    assertThat(fromStandardInput.out()).isEqualTo(HAMMING_WEIGHTS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"auto", "naive", "popcount", "symmetric", "orbits", "transform", "cyclic", "dual"})
  void countsThePairsOfACodeByAnyMethod(String method) throws IOException {
    RunOf run = weights("bch:15,5", "--joint", "--method", method, "-q", "-o", out());

    assertThat(run).isEqualTo(new RunOf(0, "", ""));
    assertThat(Files.readString(directory.resolve("pairs.csv")))
        .isEqualTo(weights("bch:15,5", "--joint").out());
  }

  private String out() {
    return directory.resolve("pairs.csv").toString();
  }

  @Test
  void namesTheMethodUsed() {
    RunOf run = weights("golay:23", "--joint");

    assertThat(run.out()).startsWith("x,y,z,count\n0,0,0,1\n").hasLineCount(1 + 144);
    assertThat(run.err()).startsWith("method ").hasLineCount(1);
  }

  /** Bounds hold for the simulated shares, and correlation makes both receivers fail together. */
  @Test
  void curvesCompareBoundsWithSimulations() throws IOException {
    Path plot = directory.resolve("curve.svg");
    RunOf run =
        weights("bch:15,5", "--joint", "--curve", "0.01,0.3", "-o", out(), "--plot", "" + plot);

    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("(15,5) code: 36 points, 20000 trials each; ");
    assertThat(Files.readString(plot)).startsWith("<?xml").endsWith("</svg>\n");
    List<String> lines = Files.readAllLines(Path.of(out()));
    assertThat(lines.getFirst())
        .isEqualTo("bit_error,correlation,one_bound,one_simulated,both_bound,both_simulated");
    double[][] points =
        lines.stream()
            .skip(1)
            .map(line -> Stream.of(line.split(",")).mapToDouble(Double::parseDouble).toArray())
            .toArray(double[][]::new);
    assertThat(points).hasNumberOfRows(36);
    assertThat(points[0][0]).isEqualTo(0.01);
    assertThat(points[35][0]).isCloseTo(0.3, within(1e-12));
    for (double[] point : points) {
      double deviation = 5 / Math.sqrt(20_000);
      assertThat(point[3]).isLessThan(point[2] + deviation * Math.sqrt(point[2]) + 5e-4);
      assertThat(point[5]).isLessThan(point[4] + deviation * Math.sqrt(point[4]) + 5e-4);
      assertThat(point[5]).isLessThanOrEqualTo(point[3]);
    }
    // At 0.3 the receivers fail in more than half of the trials each.
    assertThat(points[33][5]).isCloseTo(points[33][3] * points[33][3], within(0.02));
    assertThat(points[34][5]).isGreaterThan(points[33][5] + 0.02);
    assertThat(points[35][5]).isGreaterThan(points[34][5] + 0.02);
  }

  @Test
  void curvesOfLargeCodesAreBoundsOnly() {
    RunOf run = weights("bch:31,21", "--joint", "--curve", "0.001,0.1");
    assertThat(run.status()).isZero();
    assertThat(run.out().lines().skip(1)).hasSize(36).allMatch(line -> line.contains(",,"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--curve 0.1,0.2 | --method, --plan, --resume, --bit-errors and --curve need --joint",
        "--joint --curve 0.1 | --curve takes 2 probabilities, not 1",
        "--joint --curve 0.2,0.1 | --curve 0.2,0.1 is not a range in 0…0.5, without 0",
        "--joint --curve 0,0.1 | --curve 0.0,0.1 is not a range in 0…0.5, without 0",
        "--joint --curve 0.1,0.6 | --curve 0.1,0.6 is not a range in 0…0.5, without 0",
        "--joint --curve 0.1,0.2 --plan | --curve excludes --polynomial, --plan, --resume,"
            + " --bit-error and --bit-errors",
      })
  void refusesCurves(String options, String problem) {
    RunOf run = weights(("hamming:3 " + options).split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: " + problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-o f", "--plot f.svg", "--resume f", "--bit-error 0.1"})
  void aPlanHasNoOtherOutput(String option) {
    RunOf run = weights(("hamming:3 --joint --plan " + option).split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: --plan excludes -o, --plot, --resume,");
    assertThat(Path.of("f")).doesNotExist();
  }

  @Test
  void plansWithoutCounting() {
    assertThat(weights("bch:127,22", "--joint", "--plan").out())
        .contains("cyclic", "transform", "naive", "auto selects cyclic");
  }

  @Test
  void saysWhyTwoWordsAreNotTransformed() throws IOException {
    Path file = Files.writeString(directory.resolve("two"), "11111\n");
    RunOf run = RunOf.fieldstone("weights", file.toString(), "--joint", "--method", "transform");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("the code has no words but 0 and 1…1");
  }

  @Test
  void callsAZeroRowZero() throws IOException {
    Path file = Files.writeString(directory.resolve("zero"), "1011\n0000\n");
    RunOf run = RunOf.fieldstone("weights", file.toString());
    assertThat(run.err()).contains("rows [2] (from 1) of the generator matrix are zero");
    assertThat(RunOf.fieldstone("weights", file.toString(), "--reduce").status()).isZero();
  }

  @Test
  void plansACodeThatIsTooLargeToRun() {
    RunOf plan = weights("bch:127,50", "--joint", "--plan");
    assertThat(plan.status()).isZero();
    assertThat(plan.out()).contains("2^49 words", "cyclic cannot run: ", "bound of 2^42");
    RunOf run = weights("bch:127,50", "--joint");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: code (127,50) is too large");
  }

  @Test
  void drawsAndWritesFilesThatOthersMayRead() throws IOException {
    Path plot = directory.resolve("plot.svg");

    RunOf run = weights("golay:24", "--joint", "--plot", plot.toString(), "-o", out());

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("(24,12) code, minimum distance 8: 5 weights");
    assertThat(Files.readString(plot)).startsWith("<?xml").endsWith("</svg>\n");
    Path plain = Files.createFile(directory.resolve("plain"));
    assertThat(Files.getPosixFilePermissions(plot)).isEqualTo(Files.getPosixFilePermissions(plain));
    try (var files = Files.list(directory)) {
      Set<String> names =
          files.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
      assertThat(names).isEqualTo(Set.of("plot.svg", "pairs.csv", "plain"));
    }
  }

  @Test
  void drawsTheFormatOfTheFileName() throws IOException {
    Path png = directory.resolve("plot.PNG");

    assertThat(weights("golay:24", "--joint", "--plot", png.toString(), "-q").status()).isZero();

    assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    String other = directory.resolve("plot.pdf").toString();
    RunOf refused = weights("golay:24", "--plot", other);
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--plot " + other + " ends neither in .svg nor in .png");
  }

  /** Sage: codes.HammingCode(GF(2), 3).weight_enumerator(). */
  @Test
  void printsPolynomials() throws IOException {
    assertThat(RunOf.fieldstone("weights", "hamming:3", "--polynomial"))
        .isEqualTo(new RunOf(0, "x^7 + 7*x^4*y^3 + 7*x^3*y^4 + y^7\n", ""));
    assertThat(RunOf.fieldstone("weights", "simplex:2", "--joint", "--polynomial").out())
        .isEqualTo("a^3 + 3*a*b^2 + 3*a*c^2 + 6*b*c*d + 3*a*d^2\n");
    Path file = directory.resolve("enumerator");
    assertThat(
            RunOf.fieldstone("weights", "golay:23", "--polynomial", "-o", file.toString()).status())
        .isZero();
    assertThat(file).content().startsWith("x^23 + 253*x^16*y^7 + ").endsWith(" + y^23\n");
    assertThat(RunOf.fieldstone("weights", "golay:23", "--polynomial", "--json").status())
        .isEqualTo(2);
  }

  @Test
  void readsRowsInBrackets() throws IOException {
    Path file = Files.writeString(directory.resolve("sage"), "[1 0 1]\n[0 1 1]\n");

    assertThat(RunOf.fieldstone("weights", file.toString()).out())
        .isEqualTo("weight,count\n0,1\n2,3\n");
  }

  @Test
  void saysThatABoundAboveOneIsUseless() {
    RunOf run = weights("golay:24", "-q", "-o", out(), "--bit-error", "0.2");

    assertThat(run.out())
        .startsWith("decoding error at most ")
        .endsWith(", which is useless: no probability exceeds 1\n");
    assertThat(weights("golay:24", "-q", "-o", out(), "--bit-error", "0.01").out())
        .doesNotContain("useless");
    String errors = "0.6,0.1,0.1,0.2";
    assertThat(
            RunOf.fieldstone("weights", "bch:31,16", "--joint", "-q", "--bit-errors", errors).out())
        .contains("decoding error of both at most ")
        .contains("useless");
  }

  @Test
  void printsJson() {
    JsonNode root =
        JsonMapper.shared().readTree(weights("hamming:3", "--joint", "--json", "-q").out());

    assertThat(root.get("minimumDistance").asInt()).isEqualTo(3);
    assertThat(root.get("weights")).hasSize(4);
    assertThat(root.get("joint").get(0).get("count").asInt()).isEqualTo(1);
  }

  @Test
  void boundsDecodingErrors() {
    // One repetition of a bit: a wrong one in three is outvoted.
    String[] code = {"simplex:2", "--joint", "--bit-error", "0", "--bit-errors", "1,0,0,0", "-q"};

    assertThat(weights(code).out())
        .isEqualTo(
            "x,y,z,count\n0,0,0,1\n"
                + "0,0,2,3\n0,2,0,3\n1,1,1,6\n2,0,0,3\n"
                + "decoding error at most 0.0\ndecoding error of both at most 0.0\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "101;11 | line 2: the row has 2 digits, earlier rows have 3",
        "101;1x1 | line 2: 'x' at character 2 is not 0 or 1",
        "101;011;110 | rows [3] (from 1) of the generator matrix are sums of earlier rows",
        "# nothing | no row of 0s and 1s",
      })
  void reportsInvalidMatrices(String rows, String message) throws IOException {
    RunOf run = weights(file("matrix", rows.replace(';', '\n')));

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("fieldstone: ").contains(message).hasLineCount(1);
  }

  @Test
  void countsWordsOfLongCodes() throws IOException {
    String even = "weight,count\n0,1\n2,499999500000\n4,41666416667124999750000\n";
    assertThat(weights("polynomial:1000000,3", "--max-weight", "4", "-q"))
        .isEqualTo(new RunOf(0, even, ""));
    assertThat(weights("polynomial:64,11021", "--max-weight", "8").out())
        .isEqualTo("weight,count\n0,1\n4,84\n6,2430\n8,133001\n");
    RunOf simplex = weights("simplex:9", "--json");
    JsonNode result = JsonMapper.shared().readTree(simplex.out());
    assertThat(result.get("length").intValue()).isEqualTo(511);
    assertThat(result.get("minimumDistance").intValue()).isEqualTo(256);
    assertThat(result.get("weights").get(1).get("count").intValue()).isEqualTo(511);
    assertThat(simplex.err()).startsWith("code (511,9) by the 2^9 sums of its generators on ");
  }

  @Test
  void boundsAndDrawsLongCodes() throws IOException {
    Path plot = directory.resolve("weights.svg");
    RunOf simplex = weights("simplex:9", "--bit-error", "0.3", "--plot", plot.toString(), "-q");
    assertThat(simplex.status()).as(simplex.err()).isZero();
    assertThat(simplex.out()).startsWith("weight,count\n0,1\n256,511\ndecoding error at most ");
    assertThat(plot).content().startsWith("<?xml").endsWith("</svg>\n");
    assertThat(weights("simplex:9", "--polynomial", "-q").out())
        .isEqualTo("x^511 + 511*x^255*y^256\n");
    JsonNode bound =
        JsonMapper.shared()
            .readTree(weights("hamming:9", "--bit-error", "0.000001", "--json").out())
            .get("decodingErrorBound");
    // Of 5,516,245 words of weight 4, half of the six pairs of wrong bits; others add 4 %.
    assertThat(bound.doubleValue()).isCloseTo(5_516_245 * 3e-12 * 1.04, within(4e-7));
    // More weights than bars are a line.
    RunOf many = weights("polynomial:600,11021", "--plot", plot.toString(), "-q");
    assertThat(many.status()).as(many.err()).isZero();
    assertThat(plot).content().endsWith("</svg>\n");
    RunOf beyond = weights("polynomial:1500,11021", "--plot", plot.toString(), "-q");
    assertThat(beyond.status()).isOne();
    assertThat(beyond.err()).contains("--max-weight leaves heavy words out: " + plot);
    assertThat(
            weights("polynomial:1500,11021", "--max-weight", "8", "--plot", plot.toString())
                .status())
        .isZero();
  }

  @Test
  void countsWordsOfLongMatrices() throws IOException {
    String row = "1".repeat(300);
    String odd = "10".repeat(150);
    String rows = row + "\n" + odd + "\n";
    assertThat(weights(file("g", rows), "-q").out()).isEqualTo("weight,count\n0,1\n150,2\n300,1\n");
    assertThat(weights(file("h", rows), "--parity-check", "--max-weight", "2", "-q").out())
        .isEqualTo("weight,count\n0,1\n2,22350\n");
    assertThat(weights(file("twice", rows + row + "\n"), "-q").err())
        .contains("3 rows have rank 2: some are sums of others (--reduce drops them)");
    assertThat(weights(file("twice", rows + row + "\n"), "--reduce", "-q").status()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "polynomial:300,1000000000000001B | need k or n - k of at most 32",
        "hamming:14 | weights 0 to 16383 of a code of length 16383 are too many; to 2047",
        "hamming:9 --joint | --joint and --permutation need n",
        "hamming:9 --max-weight 3 --bit-error 0.1 | --max-weight excludes --joint, --polynomial"
            + " and",
        "hamming:3 --max-weight 3 --joint | --max-weight excludes --joint",
        "hamming:3 --max-weight x | --max-weight",
        "polynomial:9999999,3 | length 9999999 is not in 2…1048576",
      })
  void refusesLongCodes(String arguments, String problem) {
    RunOf run = weights(arguments.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(problem);
  }

  @Test
  void dropsDependentRowsWithReduce() throws IOException {
    assertThat(weights(file("matrix", "101\n011\n110\n"), "--reduce").out())
        .isEqualTo("weight,count\n0,1\n2,3\n");
  }

  @Test
  void refusesAPermutationThatIsNoText() throws IOException {
    Path binary = directory.resolve("binary");
    Files.write(binary, new byte[] {'0', ' ', (byte) 0xFF, ' ', '1'});

    RunOf run = weights("hamming:3", "--joint", "--permutation", binary.toString());

    assertThat(run)
        .isEqualTo(new RunOf(1, "", "fieldstone: not a text file in UTF-8: " + binary + "\n"));
  }

  /** The checkpoint is deleted at the end: it must not be the result. */
  @Test
  void outputsAreFilesOfTheirOwn() throws IOException {
    String code = file("code", HAMMING);
    String both = directory.resolve("both.svg").toString();
    String same = directory + "/../" + directory.getFileName() + "/both.svg";

    for (String[] outputs :
        List.of(
            new String[] {"-o", both, "--plot", both},
            new String[] {"-o", both, "--plot", same},
            new String[] {"-o", both, "--resume", both})) {
      String[] words = {code, "--joint", outputs[0], outputs[1], outputs[2], outputs[3]};
      assertThat(weights(words).err()).contains(" are the same file").hasLineCount(2);
    }
    RunOf overInput = weights(code, "-o", code);
    assertThat(overInput.status()).isEqualTo(2);
    assertThat(overInput.err()).contains(code + " is also an input");
    assertThat(Path.of(code)).hasContent(HAMMING);
    assertThat(weights(code, "-o", "-").out()).isEqualTo(HAMMING_WEIGHTS);
    assertThat(weights(code, "--joint", "--resume", "-").err()).contains("must be a file");
  }

  @Test
  void refusesPermutationsThatMoveWordsOut() throws IOException {
    String code = file("code", "1100\n0110\n");
    String automorphism = file("automorphism", "1 0 2 3");
    String none = file("none", "0 1 3 2");

    assertThat(weights(code, "--joint", "--permutation", automorphism, "-q").status()).isZero();
    RunOf run = weights(code, "--joint", "--permutation", none);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("row 2 (from 1)").contains(none);
  }

  /** A checkpoint of another run is refused, and a run that ends leaves none behind. */
  @Test
  void keepsItsStateInAFile() throws IOException {
    Path checkpoint = directory.resolve("checkpoint");

    assertThat(weights("golay:24", "--joint", "-q", "--resume", checkpoint.toString()).status())
        .isZero();
    assertThat(checkpoint).doesNotExist();

    Files.write(checkpoint, List.of("not a checkpoint"));
    RunOf run = weights("golay:24", "--joint", "-q", "--resume", checkpoint.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("not a checkpoint").contains(checkpoint.toString());
  }
}
