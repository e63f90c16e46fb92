package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.VectorApi;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs each example of docs/library.md, and compares it with that page. */
class ExamplesTest {

  @TempDir Path directory;

  @Test
  void theApplicationPrintsAChecksumAndAnEngine() {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Application.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    assertTrue(printed.toString(StandardCharsets.UTF_8).startsWith("995dc9bbdf1939fa"));
    assertTrue(VectorApi.isLoaded());
  }

  @Test
  void aMessageArrivesOverALossyLink() {
    byte[] message = new byte[64 * 1200];
    new Random(1).nextBytes(message);
    Random losses = new Random(2);
    try (Engine engine = Engine.open("cpu")) {
      byte[] received =
          Generations.sendAndReceive(
              engine, message, Stream.generate(() -> losses.nextInt(5) == 0).iterator());
      assertArrayEquals(message, received);
    }
  }

  @Test
  void sortsAnArray() {
    int[] keys = new Random(3).ints(1000).toArray();
    int[] expected = keys.clone();
    Arrays.sort(expected);
    int[] given = keys.clone();

    assertEquals(expected[0], given[Sorts.indexOfLeast(keys)]);
    assertArrayEquals(expected, keys);
  }

  @Test
  void sortsAFile() throws Exception {
    ByteBuffer records = ByteBuffer.allocate(16 * 1000).order(ByteOrder.LITTLE_ENDIAN);
    Random random = new Random(4);
    for (int i = 0; i < 1000; i++) {
      records.putInt(16 * i, random.nextInt());
    }
    Path input = Files.write(directory.resolve("input"), records.array());
    Path output = directory.resolve("output");
    example.Files.sort(input, output);

    ByteBuffer sorted = ByteBuffer.wrap(Files.readAllBytes(output)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i < 1000; i++) {
      int before = sorted.getInt(16 * (i - 1));
      assertTrue(Integer.compareUnsigned(before, sorted.getInt(16 * i)) <= 0);
    }
  }

  @Test
  void countsWordsOfTheGolayCode() {
    try (Engine engine = Engine.open("cpu")) {
      assertEquals(BigInteger.valueOf(759), Weights.wordsOfWeight(engine, "golay:24", 8));
    }
  }

  @Test
  void connectsTwoSensors() {
    try (Engine engine = Engine.open("cpu")) {
      double[] x = {0, 25};
      assertEquals(2, Relays.relaysFor(engine, List.of("a", "b"), x, new double[2], 10));
    }
  }

  @Test
  void theCoresConformInSorting() {
    try (Engine engine = Engine.open("cpu")) {
      assertTrue(Conformance.ofSorting(engine).run(5).stream().allMatch(CheckResult::passed));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "src/main/java/example/Application.java, example, java",
    "src/main/java/example/Generations.java, example, java",
    "src/main/java/example/Sorts.java, example, java",
    "src/main/java/example/Files.java, example, java",
    "src/main/java/example/Weights.java, example, java",
    "src/main/java/example/Relays.java, example, java",
    "pom.xml, dependencies, xml",
    "pom.xml, plugins, xml",
    "build.gradle.kts, dependencies, kotlin"
  })
  void thePageHasThePart(String file, String part, String language) throws Exception {
    String source = Files.readString(Path.of(file));
    int begin = source.indexOf('\n', source.indexOf(part + " begin")) + 1;
    int end = source.lastIndexOf('\n', source.indexOf(part + " end"));
    String expected = source.substring(begin, end).stripIndent();

    String page = Files.readString(Path.of("../docs/library.md"));
    assertTrue(page.contains("```" + language + "\n" + expected + "\n```\n"), expected);
  }
}
