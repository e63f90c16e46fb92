package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.WordSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DistanceCommandTest {

  private static final String HAMMING = "1000110\n0100101\n0010011\n0001111\n";

  /** The X and Z checks of the [[4,2,2]] code. */
  private static final String ALL_FOUR = "1111\n";

  private static final String FIVE = "XZZXI\nIXZZX\nXIXZZ\nZXIXZ\n";

  @TempDir Path directory;

  private static RunOf distance(String... arguments) {
    String[] words = new String[arguments.length + 1];
    words[0] = "distance";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    return RunOf.fieldstone(words);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /** The examples of docs/distance.md, run in this folder's parent as a user would. */
  @Test
  void thePageHasTheOutputOfItsCommands() throws Exception {
    List<String> page = Files.readAllLines(Path.of("..", "docs", "distance.md"));
    List<String> actual =
        ConsolePage.run(
            page,
            line -> {
              String inPlace = line.replace("docs/", "../docs/").substring("fieldstone ".length());
              RunOf run = RunOf.fieldstone(inPlace.split(" "));
              return (run.err() + run.out()).lines().toList();
            });
    assertThat(ConsolePage.masked(actual)).isEqualTo(ConsolePage.masked(page));
  }

  @Test
  void readsEachFormat() throws Exception {
    String alist = "7 3\n3 4\n1 1 2 1 2 2 3\n4 4 4\n";
    String market =
        "%%MatrixMarket matrix coordinate pattern general\n% Hamming\n3 7 12\n1 1\n1 3\n1 5\n1 7\n"
            + "2 2\n2 3\n2 6\n2 7\n3 4\n3 5\n3 6\n3 7\n";
    String columns = "1\n2\n1 2\n3\n1 3\n2 3\n1 2 3\n";
    String supports = "[[0, 2, 4, 6], [1, 2, 5, 6], [3, 4, 5, 6]]";
    List<String> files =
        List.of(
            file("h.txt", "1010101\n0110011\n0001111\n"),
            file("h.mtx", market),
            file("h.alist", alist + columns),
            file("h.json", supports));
    for (String file : files) {
      assertThat(distance(file, "--parity-check", "-q").out()).startsWith("(7,4) code: d = 3 (pro");
    }
    assertThat(distance(file("g", HAMMING), "-q").out()).startsWith("(7,4) code: d = 3 (proven)");
  }

  @Test
  void findsBothSidesOfAQuantumCode() throws Exception {
    String checks = file("checks", ALL_FOUR + ALL_FOUR);

    RunOf both = distance("--x", checks, "--z", checks, "-q");

    assertThat(both.out().lines().filter(line -> line.contains("d")))
        .containsExactly("X: d = 2 (proven)", "Z: d = 2 (proven)", "[[4,2]] code: d = 2 (proven)");
    assertThat(distance("--x", checks, "--z", checks, "--side", "z", "-q").out())
        .startsWith("Z: d = 2 (proven)")
        .doesNotContain("X:");
  }

  /** The last qubit is in no X check, so that Z on it is a logical operator. */
  @Test
  void listsOfSupportsHaveTheirPositionsInCommon() throws Exception {
    String x = file("x.json", "[[0, 1]]");
    assertThat(distance("--x", x, "--z", file("pair.json", "[[0, 1], [2, 3]]"), "-q").out())
        .endsWith("[[4,1]] code: d = 1 (proven)\n");
  }

  /** Equal checks have one proof; those of Shor's code have one for each side. */
  @Test
  void provesASideOnceIfAPermutationMapsItToTheOther() throws Exception {
    String four = file("four", ALL_FOUR);
    String x = file("shor-x", "111111000\n000111111\n");
    String z =
        file(
            "shor-z",
            "11\n011\n00011\n000011\n000000110\n000000011\n"
                .lines()
                .map(row -> row + "0".repeat(9 - row.length()) + "\n")
                .reduce("", String::concat));
    String words = path("words.csv");

    assertThat(distance("--x", four, "--z", four, "-o", words).err())
        .endsWith("Z: a permutation maps the X operators to these\n");
    assertThat(distance("--x", four, "--z", four, "--check", words).out())
        .isEqualTo("[[4,2]] code: 2 words are right, d ≤ 2\n");
    assertThat(distance("--x", four, "--z", four, "--plan").out().lines().skip(2))
        .containsExactly("Z       2  0.00     0.00 s  a permutation maps the X operators to these");
    assertThat(distance("--x", x, "--z", z).out().lines().filter(line -> line.contains("d")))
        .containsExactly("X: d = 3 (proven)", "Z: d = 3 (proven)", "[[9,1]] code: d = 3 (proven)");
    assertThat(distance("--x", x, "--z", z).err()).doesNotContain("permutation");
  }

  /** Operators, a matrix (X|Z) and a list in JSON. */
  @Test
  void findsTheDistanceOfAStabilizerCode() throws Exception {
    List<String> files =
        List.of(
            file("five", FIVE),
            file("matrix", "1001001100\n0100100110\n1010000011\n0101010001\n"),
            file("five.json", "[\"XZZXI\", \"+IXZZX\", \"-XIXZZ\", \"ZX_XZ\"]"));
    for (String name : files) {
      RunOf run = distance("--stabilizer", name, "-q");
      assertThat(run.out()).matches("\\[\\[5,1]] code: d = 3 \\(proven\\)\n[IXYZ]{5}\n");
    }
    assertThat(distance("--stabilizer", path("five"), "--words", "5").out())
        .isEqualTo("weight,count\n3,30\n5,18\n");
    assertThat(distance("--stabilizer", file("state", FIVE + "XXXXX\n"), "-q").out())
        .startsWith("[[5,0]] code: d = 3 (proven)\n");
    assertThat(
            distance("--stabilizer", path("five"), "--permutation", file("p", "1 2 3 4 0")).out())
        .startsWith("[[5,1]] code: d = 3 (proven)\n");
    assertThat(distance("--stabilizer", path("five"), "--bound", "3", "--json").out())
        .contains("\"pauli\" : \"");
  }

  /** The code of Steane, and a generator that is a product of others. */
  @Test
  void findsTheSidesOfAStabilizerCodeThatIsACssCode() throws Exception {
    String steane = file("steane", "YYYYIII\nXXIIXXI\nXIXIXIX\nZZIIZZI\nZIZIZIZ\nZZZZIII\n");
    RunOf both = distance("--stabilizer", steane, "--side", "both", "-q");

    assertThat(both.out().lines().filter(line -> line.contains("d")))
        .containsExactly("X: d = 3 (proven)", "Z: d = 3 (proven)", "[[7,1]] code: d = 3 (proven)");
    assertThat(distance("--stabilizer", steane, "--side", "z", "--words", "3", "-q").out())
        .isEqualTo("weight,count\n3,7\n");
    assertThat(distance("--stabilizer", steane).err())
        .startsWith("a CSS code: --side both proves its distance with far fewer sums\n");
  }

  @Test
  void writesOperatorsThatItAccepts() throws Exception {
    String five = file("five", FIVE);
    for (String name : List.of("words.csv", "words.json")) {
      assertThat(distance("--stabilizer", five, "--words", "3", "-o", path(name)).status())
          .isZero();
      assertThat(distance("--stabilizer", five, "--check", path(name)).out())
          .isEqualTo("[[5,1]] code: 30 words are right, d ≤ 3\n");
    }
    assertThat(distance("--stabilizer", five, "-q", "-o", path("words.sage")).status()).isZero();
    assertThat(Files.readString(directory.resolve("words.sage")))
        .matches("words = \\[\\n    vector\\(GF\\(2\\), 10, \\{\\d: 1(, \\d: 1)+}\\),\\n]\\n");
  }

  @Test
  void writesWordsThatItAccepts() throws Exception {
    for (String name : List.of("words.csv", "words.json")) {
      assertThat(distance("golay:23", "--words", "7", "-o", path(name)).status()).isZero();
      assertThat(distance("golay:23", "--check", path(name)).out())
          .isEqualTo("(23,12) code: 253 words are right, d ≤ 7\n");
    }
    assertThat(distance("simplex:2", "-q", "-o", path("words.sage")).status()).isZero();
    assertThat(Files.readString(directory.resolve("words.sage")))
        .matches("words = \\[\\n    vector\\(GF\\(2\\), 3, \\{\\d: 1, \\d: 1}\\),\\n]\\n");
  }

  @Test
  void countsCosets() throws Exception {
    RunOf run = distance(file("h", "1010101\n0110011\n0001111\n"), "--parity-check", "--cosets");

    assertThat(run.out()).isEqualTo("weight,cosets\n0,1\n1,7\n");
    assertThat(run.err()).endsWith("(7,4) code: covering radius 1\n");
  }

  @Test
  void continuesFromACheckpoint() throws Exception {
    RunOf run = distance("golay:24", "--resume", path("state"), "-q");

    assertThat(run.out()).startsWith("(24,12) code: d = 8 (proven)");
    assertThat(directory.resolve("state")).doesNotExist();
    Files.writeString(directory.resolve("state"), "no state");
    assertThat(distance("golay:24", "--resume", path("state")).err())
        .endsWith(path("state") + ": not a checkpoint of a distance\n");
    try (Engine engine = Engine.open("cpu")) {
      WordSpace other = WordSpace.of(CodeFamily.golay(23));
      Files.write(directory.resolve("state"), DistanceProof.of(engine, other, List.of()).save());
    }
    RunOf refused = distance("golay:24", "--resume", path("state"));
    assertThat(refused.err())
        .endsWith("state: a checkpoint of another code, or with other permutations\n");
    assertThat(refused.status()).isOne();
    assertThat(refused.out()).isEmpty();
    assertThat(directory.resolve("state")).exists();
  }

  /** The fields of the contract; the witness is a word of that weight. */
  @Test
  void printsTheWitnessAsJson() throws Exception {
    JsonNode result = JsonMapper.shared().readTree(distance("bch:31,16", "--json").out());
    List<Integer> witness = new ArrayList<>();
    result.get("witness").forEach(position -> witness.add(position.intValue()));

    assertThat(result.get("distance").intValue()).isEqualTo(7);
    assertThat(result.get("proven").booleanValue()).isTrue();
    assertThat(witness).hasSize(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "zero | 1 | the code has no word but zero",
        "zero --x zero | 2 | give either CODE, or both --x and --z, or --stabilizer",
        "golay:24 --stabilizer five | 2 | give either CODE, or both --x and --z, or --stabilizer",
        "--stabilizer five --side z | 1 | not a CSS code: --side needs one: ",
        "golay:24 --side z | 2 | --side is for --x and --z, or --stabilizer",
        "--stabilizer five --side both --words 3 | 2 | --words and --resume take one side",
        "--stabilizer five --reduce | 2 | --parity-check and --reduce are for CODE",
        "--stabilizer anti | 1 | generators 1 and 3 (from 1) do not commute",
        "--stabilizer letters | 1 | letters, line 1: 'x' at character 2 is not I, X, Y or Z",
        "--stabilizer lengths | 1 | lengths, line 2: an operator of 3 qubits, earlier ones have 2",
        "--stabilizer broken.npy | 1 | ends within its .npy header (at byte 6)",
        "--stabilizer words.json | 1 | item 1: [1,4096] is not a Pauli operator, a string",
        "--stabilizer dependent | 1 | dependent: 3 columns are not (X",
        "--stabilizer golay:24 | 1 | no such file or directory: golay:24",
        "--stabilizer five --check wrong | 1 | '0' at character 1 is not I, X, Y or Z",
        "--stabilizer five --check heavy | 1 | an operator of weight 3, not 4: ",
        "--stabilizer five --check inside | 1 | word 1 (from 1), of weight 4, is not a logical op",
        "--stabilizer five --permutation shift | 1 | the permutation has 2 positions, the code has"
            + " 5 qubits",
        "dependent | 1 | rows [3] (from 1) of the generator matrix are zero or sums of earlier",
        "--x x --z odd | 1 | X check 1 and Z check 2 (from 1) do not commute: they share 3 pos",
        "--x x --z empty | 1 | no row of 0s and 1s",
        "--x full --z x | 1 | the checks leave no logical qubit: 4 positions",
        "--x x --z dependent | 1 | X checks of 4 positions and Z checks of 3",
        "long | 1 | the row has 2049 digits, more than 2048",
        "wide.mtx | 1 | '2049' is not in 1…2048",
        "image | 1 | image: neither text in UTF-8 nor a file of NumPy",
        "none.json | 1 | none.json: no row with a position",
        "words.json | 1 | item 1: 4096 is not a position in 0…2047",
        "broken.json | 1 | not JSON",
        "broken.npy | 1 | ends within its .npy header (at byte 6)",
        "broken.mtx | 1 | is not a matrix of pattern, integer or real entries",
        "golay:24 --check other | 1 | word 1 (from 1), of weight 2, is not in the code",
        "golay:24 --check far | 1 | '24' is not a position in 0…23",
        "golay:24 --check wrong | 1 | not the number of positions and the positions",
        "golay:24 --words 8 --exact | 2 | exclude each other",
        "bch:127,85 --cosets | 1 | 2^42 cosets are more than 2^36: (127,85) code",
        "golay:24 --cosets --words 3 | 2 | exclude each other",
        "golay:24 --cosets -o other | 2 | --plan, --cosets and --check write no words",
        "--x x --z x --cosets | 2 | --cosets is for CODE",
        "golay:24 --seconds 0 | 2 | --seconds 0.0 is not in 0…1e9",
        "golay:24 --trials 0 | 2 | --trials 0 is less than 1",
        "golay:24 --bound 3000 | 2 | --bound 3000 is not in 1…2048",
        "golay:24 --permutation shift | 1 | the permutation has 2 positions, the code has length"
            + " 24",
        "gollay:24 | 2 | did you mean 'golay:24'?",
      })
  void explainsBadInput(String arguments, int status, String message) throws Exception {
    Files.writeString(directory.resolve("x"), "1111\n");
    Files.writeString(directory.resolve("five"), FIVE);
    Files.writeString(directory.resolve("anti"), "XX\nZZ\nZI\n");
    Files.writeString(directory.resolve("letters"), "Xx\n");
    Files.writeString(directory.resolve("lengths"), "XX\nXXX\n");
    Files.writeString(directory.resolve("heavy"), "weight,operator\n4,XIZXI\n");
    Files.writeString(directory.resolve("inside"), "XZZXI\n");
    Files.writeString(directory.resolve("odd"), "1100\n0111\n");
    Files.writeString(directory.resolve("full"), "1100\n0110\n0011\n");
    Files.writeString(directory.resolve("empty"), "# nothing\n");
    Files.writeString(directory.resolve("dependent"), "110\n011\n101\n");
    Files.writeString(directory.resolve("long"), "1".repeat(2049) + "\n");
    Files.writeString(
        directory.resolve("wide.mtx"),
        "%%MatrixMarket matrix coordinate pattern general\n1 2049 1\n1 1\n");
    Files.write(
        directory.resolve("image"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
    Files.writeString(directory.resolve("none.json"), "[]");
    Files.writeString(directory.resolve("words.json"), "[[1, 4096]]");
    Files.writeString(directory.resolve("broken.json"), "[[1, ");
    Files.write(directory.resolve("broken.npy"), new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'});
    Files.writeString(
        directory.resolve("broken.mtx"), "%%MatrixMarket matrix array complex general\n");
    Files.writeString(directory.resolve("other"), "2,0 1\n");
    Files.writeString(directory.resolve("wrong"), "3,0 1\n");
    Files.writeString(directory.resolve("shift"), "1 0\n");
    Files.writeString(directory.resolve("far"), "2,0 24\n");
    Files.writeString(directory.resolve("zero"), "1000\n0100\n0010\n0001\n");
    List<String> words = new ArrayList<>();
    for (String word : arguments.split(" ")) {
      words.add(Files.exists(directory.resolve(word)) ? path(word) : word);
    }
    if (arguments.equals("zero")) {
      words.add("--parity-check");
    }
    RunOf run = distance(words.toArray(String[]::new));

    assertThat(run.err()).contains(message);
    assertThat(run.status()).isEqualTo(status);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void weightsPointToIt() {
    assertThat(RunOf.fieldstone("weights", "bch:127,64").err())
        .contains("2^63 words are too many to enumerate: 'fieldstone distance bch:127,64' finds");
    assertThat(RunOf.fieldstone("weights", "bch:127,50", "--joint", "--plan").out())
        .endsWith("'fieldstone distance bch:127,50' finds the minimum\n");
  }
}
