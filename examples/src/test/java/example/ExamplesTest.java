package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.engine.VectorApi;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.server.Server;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigInteger;
import java.net.InetSocketAddress;
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

/** Runs the examples of docs/library.md and of the modules, and compares them with these pages. */
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
    byte[] message = new byte[64 * 1152];
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
  void restoresAFileFromFourShards() throws Exception {
    byte[] content = new byte[1_000_000];
    new Random(8).nextBytes(content);
    Path file = Files.write(directory.resolve("film"), content);
    List<Path> shards = Shards.encode(file, directory.resolve("shards"));
    Path restored = directory.resolve("restored");
    Shards.decode(shards.subList(2, 6), restored);

    assertArrayEquals(content, Files.readAllBytes(restored));
  }

  @Test
  void repairsADamagedFile() throws Exception {
    byte[] content = new byte[1_000_000];
    new Random(9).nextBytes(content);
    Path photos = Files.createDirectory(directory.resolve("photos"));
    Path photo = Files.write(photos.resolve("one"), content);
    Path parity = directory.resolve("parity");
    Parity.protect(photos, parity);
    byte[] damaged = content.clone();
    damaged[500_000] ^= 1;
    Files.write(photo, damaged);

    assertEquals(1, Parity.repair(directory, parity));
    assertArrayEquals(content, Files.readAllBytes(photo));
  }

  @Test
  void fetchesAServedFile() throws Exception {
    byte[] content = new byte[300_000];
    new Random(10).nextBytes(content);
    Path folder = Files.createDirectory(directory.resolve("served"));
    Files.write(folder.resolve("film"), content);
    Path copy = directory.resolve("copy");
    try (Engine engine = Engine.open("cpu");
        Server server = Network.serve(engine, folder, directory.resolve("server"))) {
      InetSocketAddress address =
          InetSocketAddress.createUnresolved("127.0.0.1", server.address().getPort());
      FetchResult result =
          Network.fetch(engine, "film", List.of(address), directory.resolve("client"), copy);
      assertEquals(300_000, result.bytes());
    }
    assertArrayEquals(content, Files.readAllBytes(copy));
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
  void drawsAPlanAndACurve() throws Exception {
    try (Engine engine = Engine.open("cpu")) {
      SensorField field =
          SensorField.planar(List.of("a", "b"), new double[] {0, 15}, new double[2]);
      Charts.draw(
          engine, new RelayPlanner(engine, field, 10).plan(PlanMethod.BEST_STARS), directory);
      Charts.draw(engine, "bch:15,5", directory);
    }
    assertTrue(Files.readString(directory.resolve("plan.geojson")).contains("\"relay-1\""));
    assertTrue(Files.readString(directory.resolve("plan.svg")).contains("2 sensors and 1 relay"));
    assertTrue(Files.readString(directory.resolve("curve.csv")).startsWith("bit_error,"));
  }

  // conformance begin
  @Test
  void theCoresConformInSorting() {
    try (Engine engine = Engine.open("cpu")) {
      assertTrue(Conformance.ofSorting(engine).run(5).stream().allMatch(CheckResult::passed));
    }
  }

  // conformance end

  @Test
  void anEngineWithOnePortConformsAndCountsWords() {
    try (Engine engine = new CosetCounter()) {
      Conformance suite = Conformance.of(engine);
      assertTrue(suite.run(6).stream().allMatch(CheckResult::passed));
      assertTrue(suite.missing().contains("Products"));
      assertEquals(BigInteger.valueOf(759), Weights.wordsOfWeight(engine, "golay:24", 8));
      assertThrows(MissingPortException.class, engine::products);
    }
  }

  @Test
  void combinesBlocks() {
    try (Engine engine = Engine.open("cpu")) {
      byte[] blocks = {1, 2, 3, 4, 5, 6}; // two of three bytes
      assertArrayEquals(new byte[] {5, 7, 5}, Blocks.combine(engine, new byte[] {1, 1}, blocks));
    }
  }

  @Test
  void replacesAllFilesOrNone() throws Exception {
    Path first = Files.writeString(directory.resolve("a"), "old");
    Path second = directory.resolve("b");
    Outputs.replace(List.of(first, second), "new");
    assertEquals("new", Files.readString(first));
    assertEquals("new", Files.readString(second));
    assertThrows(
        IOException.class,
        () -> Outputs.replace(List.of(first, directory.resolve("absent/c")), "newer"));
    assertEquals("new", Files.readString(first));
  }

  @Test
  void printsAChecksum() {
    assertEquals("e3069283", Checksums.checksum("123456789".getBytes(StandardCharsets.US_ASCII)));
  }

  @ParameterizedTest
  @CsvSource({
    "src/main/java/example/Application.java, example, java, docs/library.md",
    "src/main/java/example/Generations.java, page, java, docs/library.md",
    "src/main/java/example/Sorts.java, page, java, docs/library.md",
    "src/main/java/example/Files.java, page, java, docs/library.md",
    "src/main/java/example/Weights.java, page, java, docs/library.md",
    "src/main/java/example/Relays.java, page, java, docs/library.md",
    "src/main/java/example/Charts.java, page, java, docs/library.md",
    "src/main/java/example/Shards.java, page, java, docs/library.md",
    "src/main/java/example/Parity.java, page, java, docs/library.md",
    "src/main/java/example/Network.java, page, java, docs/library.md",
    "src/main/java/example/CosetCounter.java, engine, java, docs/library.md",
    "pom.xml, dependencies, xml, docs/library.md",
    "pom.xml, plugins, xml, docs/library.md",
    "build.gradle.kts, dependencies, kotlin, docs/library.md",
    "src/main/java/example/Blocks.java, example, java, fieldstone-engine/README.md",
    "src/main/java/example/Outputs.java, example, java, fieldstone-stream/README.md",
    "src/main/java/example/Generations.java, example, java, fieldstone-coding/README.md",
    "src/main/java/example/Shards.java, example, java, fieldstone-files/README.md",
    "src/main/java/example/Checksums.java, example, java, fieldstone-crc/README.md",
    "src/main/java/example/Weights.java, example, java, fieldstone-codes/README.md",
    "src/main/java/example/Sorts.java, example, java, fieldstone-sort/README.md",
    "src/main/java/example/Relays.java, example, java, fieldstone-relays/README.md",
    "src/main/java/example/Charts.java, example, java, fieldstone-charts/README.md",
    "src/main/java/example/Network.java, example, java, fieldstone-net/README.md",
    "src/test/java/example/ExamplesTest.java, conformance, java, fieldstone-conformance/README.md"
  })
  void thePageHasThePart(String file, String part, String language, String document)
      throws Exception {
    String source = Files.readString(Path.of(file));
    int begin = source.indexOf('\n', source.indexOf(part + " begin")) + 1;
    int end = source.lastIndexOf('\n', source.indexOf(part + " end"));
    String expected =
        source
            .substring(begin, end)
            .stripTrailing()
            .stripIndent()
            .replaceAll("(?m)^ *// \\w+ (begin|end)\n", ""); // those of a part inside

    String page = Files.readString(Path.of("..", document));
    assertTrue(page.contains("```" + language + "\n" + expected + "\n```\n"), expected);
  }
}
