package io.fieldstone.cli;

import static io.fieldstone.cli.TestFolder.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.stream.Threads;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares the objects that commands print with {@code --json} with docs/json.md, both ways. */
@Timeout(300)
class JsonTest {

  /** Failures that leave a result. */
  private static final String WITH_RESULT =
      "(sort ./file --check|crc --locate).*|crc ./missing|crc --check ./file";

  /** Failures that are not repeated in a line: each file has its own, or none. */
  private static final String WITHOUT_LINE = "crc --locate.*|crc ./missing|crc --check ./file";

  /** Commands that print text only. */
  private static final Set<String> WITHOUT_JSON = Set.of("help", "completion");

  /** The commands of each heading; together their objects have all of its fields. */
  private static final Map<String, List<String>> RUNS = runs();

  @TempDir Path directory;
  private TestFolder folder;
  private String checksum = "";

  private static Map<String, List<String>> runs() {
    Map<String, List<String>> runs = new LinkedHashMap<>();
    runs.put("demo", List.of("demo --size 50K --relays 1 --receivers 2 --evil"));
    runs.put("demo --delay", List.of("demo --delay --generation 8"));
    runs.put(
        "encode",
        List.of("encode ./file -o ./new --encrypt ./encryption.key", "encode ./file -o ./sparse"));
    runs.put(
        "decode",
        List.of(
            "decode ./six/file.00.fst ./six/file.01.fst ./six/file.02.fst ./six/file.03.fst"
                + " ./six/file.04.fst ./six/file.05.fst ./spoilt -o ./copy",
            "decode ./six/file.00.fst -o ./part --partial"));
    runs.put("recode", List.of("recode ./six/file.00.fst ./spoilt -o ./new.fst"));
    runs.put("inspect", List.of("inspect ./six/file.00.fst ./spoilt"));
    runs.put("protect", List.of("protect ./six ./spoilt ./odd -o ./set"));
    runs.put(
        "protect --update",
        List.of(
            "protect ./six ./spoilt ./odd -o ./old --update", "protect ./six -o ./old --update"));
    runs.put("list", List.of("list ./gaps"));
    runs.put("verify", List.of("verify ./parity", "verify ./gaps"));
    runs.put("repair", List.of("repair ./parity", "repair ./gaps"));
    runs.put("key encryption", List.of("key encryption -o ./new.key"));
    runs.put("key signing", List.of("key signing -o ./new.key"));
    runs.put("key show", List.of("key show ./encryption.key"));
    runs.put("crc", List.of("crc ./file ./spoilt"));
    runs.put("crc --hex", List.of("crc --hex 0103", "crc -a crc32 -a crc32c --string text"));
    runs.put("crc --check", List.of("crc --check ./SUMS"));
    runs.put("crc --list", List.of("crc --list CRC-32", "crc --list"));
    runs.put("crc --combine", List.of("crc --combine 0xcbf43926 0x8587d865 5"));
    runs.put("crc --locate", List.of("crc --locate %s ./flipped"));
    runs.put("crc --locate --errors", List.of("crc --locate %s ./flipped --errors 2"));
    runs.put("crc --best", List.of("crc --best 8 --length 10"));
    runs.put(
        "crc --best --plan",
        List.of("crc --best 8 --length 10 --plan", "crc --best 8 --length 4 --hd 6 --plan"));
    runs.put(
        "crc --emit",
        List.of("crc --emit verilog -a CRC-8", "crc --emit c -a CRC-8 -o ./crc.c --bits 1"));
    runs.put("crc --force", List.of("crc --force 1 --at 5 ./file -o ./new"));
    runs.put(
        "crc --find",
        List.of(
            "crc --find ./samples",
            "crc --find ./frames",
            "crc --find ./affine",
            "crc --find ./sum"));
    runs.put(
        "crc --analyse",
        List.of(
            "crc --analyse CRC-8/SMBUS --length 200",
            "crc --analyse --width 32 --poly 0xFA567D89"));
    runs.put(
        "weights",
        List.of(
            "weights hamming:3 --bit-error 0.01",
            "weights hamming:3 --joint --bit-errors 0.97,0.01,0.01,0.01"));
    runs.put("weights --curve", List.of("weights hamming:3 --joint --curve 0.01,0.1"));
    runs.put("weights --plan", List.of("weights hamming:3 --joint --plan"));
    runs.put("distance", List.of("distance golay:24", "distance --stabilizer ./five"));
    runs.put("distance --words", List.of("distance golay:24 --words 8"));
    runs.put("distance --plan", List.of("distance golay:24 --plan"));
    runs.put("distance --cosets", List.of("distance hamming:3 --cosets"));
    runs.put("distance --cosets --plan", List.of("distance hamming:3 --cosets --plan"));
    runs.put("distance --check", List.of("distance hamming:3 --check ./words"));
    runs.put(
        "relays",
        List.of(
            "relays ./field.csv --range 50 --stars ./stars",
            "relays ./field.csv --range 50 --existing ./chain.csv",
            "relays ./masts.csv --range 900 --dem ./N50E007.hgt"));
    runs.put("relays --check", List.of("relays --check ./chain.csv --range 50"));
    runs.put("sort", List.of("sort ./file -o ./sorted --type u32 --verify"));
    runs.put(
        "sort --check",
        List.of("sort ./file --type u32 --check", "sort ./zeros --type u32 --check"));
    runs.put("devices", List.of("devices --engine cpu:scalar --verify"));
    return runs;
  }

  @BeforeEach
  void makeFiles() throws Exception {
    folder = new TestFolder(directory);
    byte[] bytes = folder.write("file", ShardCommandsTest.BLOCKS * 4096);
    folder.succeed("key", "encryption", "-o", "./encryption.key", "-q");
    folder.succeed("key", "signing", "-o", "./signing.key", "-q");
    folder.encode("file", "six", "--shards", "6");
    Files.writeString(directory.resolve("spoilt"), "not a shard");
    Files.createDirectories(directory.resolve("odd"));
    Files.createFile(Path.of(URI.create(directory.resolve("odd").toUri() + "%FF")));
    ShardCommandsTest.pollute(directory.resolve("six/file.03.fst"));
    Files.write(directory.resolve("zeros"), new byte[16]);
    folder.succeed(
        "protect",
        "./zeros",
        "./spoilt",
        "-o",
        "./parity",
        "--redundancy",
        "2",
        "--volumes",
        "2",
        "-q");
    Files.delete(directory.resolve("parity/parity.00.fsp"));
    Files.write(directory.resolve("zeros"), new byte[] {1});
    Files.writeString(directory.resolve("spoilt"), "shifted: not a shard");
    checksum = folder.run("crc", "./file").out().substring(0, 8);
    bytes[5] ^= 4;
    Files.write(directory.resolve("flipped"), bytes);
    Files.writeString(
        directory.resolve("SUMS"), "%s  %s\n00000000  absent\n".formatted(checksum, path("file")));
    writeSamples();
    String[] update = {"protect", "./file", "-o", "./gaps", "--update", "-q"};
    folder.succeed(update);
    folder.succeed(TestFolder.join(update, "./flipped"));
    folder.succeed(TestFolder.join(update, "./flipped", "./SUMS"));
    for (String name : folder.namesIn("gaps")) {
      if (name.startsWith("parity.u1.")) {
        Files.delete(directory.resolve("gaps").resolve(name));
      }
    }
    Files.writeString(directory.resolve("words"), "3,0 1 2\n");
    Files.writeString(directory.resolve("five"), "XZZXI\nIXZZX\nXIXZZ\nZXIXZ\n");
    Files.writeString(directory.resolve("chain.csv"), "id,x,y\na,0,0\nb,40,0\nc,80,0\n");
    Files.write(directory.resolve("N50E007.hgt"), new byte[2 * 1201 * 1201]);
    Files.writeString(directory.resolve("masts.csv"), "id,lat,lon\na,50.5,7.5\nb,50.51,7.5\n");
    Files.writeString(directory.resolve("field.csv"), "id,x,y\na,0,0\nb,60,0\nc,30,52\n");
  }

  /** Writes samples of a CRC, of an affine function and of another. */
  private void writeSamples() throws Exception {
    List<String> samples = new ArrayList<>();
    List<String> frames = new ArrayList<>();
    List<String> affine = new ArrayList<>();
    List<String> sum = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 24; i++) {
      int message = random.nextInt(1 << 16);
      byte[] bytes = {(byte) (message >>> 8), (byte) message, (byte) (7 * i)};
      String crc = Crc.of(CrcCatalogue.model("CRC-16/ARC")).hash(bytes).toString();
      samples.add(HexFormat.of().formatHex(bytes) + " " + crc);
      frames.add(HexFormat.of().formatHex(bytes) + crc);
      affine.add("%04x %02x".formatted(message, message >>> 3 & 0x7F ^ message >>> 9 & 0x55 ^ 1));
      sum.add("%02x%02x %02x".formatted(i & 3, i >> 2, ((i & 3) * 3 + (i >> 2)) * 5 & 0xFF));
    }
    Files.write(directory.resolve("samples"), samples);
    Files.write(directory.resolve("frames"), frames);
    Files.write(directory.resolve("affine"), affine);
    Files.write(directory.resolve("sum"), sum);
  }

  static Set<String> headings() {
    return RUNS.keySet();
  }

  @ParameterizedTest
  @MethodSource("headings")
  void theDocumentHasTheFieldsOfEachCommand(String heading) throws Exception {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : Objects.requireNonNull(RUNS.get(heading))) {
      RunOf run = folder.run(join(line.formatted(checksum).split(" "), "--json"));
      JsonNode object = JsonMapper.shared().readTree(run.out());
      assertThat(object.path("exit").asInt()).as(run.err()).isEqualTo(run.status());
      objects.add(withoutFailure(object));
    }
    JsonDocument.assertDocumented(heading, objects);
  }

  /** Returns an object without the fields of a failure, which have a heading of their own. */
  private static JsonNode withoutFailure(JsonNode object) {
    return ((ObjectNode) object).without(List.of("error", "exit"));
  }

  @Test
  void theDocumentHasTheFieldsOfServersAndFetches() throws Exception {
    Files.writeString(directory.resolve("more"), "one more file");
    try (Running server =
            Running.start(
                "serve",
                path("file"),
                path("more"),
                "--browsers",
                "127.0.0.1:0",
                "--sign",
                path("signing.key"),
                "--encrypt",
                path("encryption.key"),
                "--state",
                path("state"));
        Running relay =
            Running.start(
                "relay",
                "--from",
                server.address(),
                "--browsers",
                "127.0.0.1:0",
                "--state",
                path("relay"))) {
      JsonDocument.assertDocumented("serve", List.of(server.ready()));
      JsonDocument.assertDocumented("relay", List.of(relay.ready()));
      assertThat(server.ready().get("http").asString()).matches("127\\.0\\.0\\.1:[1-9]\\d*");
      assertThat(server.ready().get("browsers").asString()).matches("127\\.0\\.0\\.1:[1-9]\\d*");
      RunOf fetched =
          folder.run(
              "fetch",
              "file",
              "--from",
              server.address(),
              "-o",
              "./fetched",
              "--state",
              "./client",
              "--key",
              "./encryption.key",
              "--publisher",
              publisher(),
              "--json");
      assertThat(fetched.status()).as(fetched.err()).isZero();
      JsonDocument.assertDocumented("fetch", List.of(JsonMapper.shared().readTree(fetched.out())));
      RunOf listed =
          folder.run(
              "fetch", "--list", "--from", server.address(), "--state", "./client", "--json");
      JsonDocument.assertDocumented(
          "fetch --list", List.of(JsonMapper.shared().readTree(listed.out())));
      Files.createDirectories(directory.resolve("copies"));
      Files.writeString(directory.resolve("copies/more"), "another one");
      RunOf failed =
          folder.run(
              "fetch",
              "/",
              "--from",
              server.address(),
              "-o",
              "./copies",
              "--state",
              "./client",
              "--key",
              "./encryption.key",
              "--json");
      assertThat(failed.status()).isEqualTo(1);
      JsonNode result = JsonMapper.shared().readTree(failed.out());
      assertThat(result.get("error").asString()).startsWith("1 file could not be fetched");
      JsonDocument.assertDocumented(
          "fetch FOLDER/", List.of(((ObjectNode) result).without(List.of("error", "exit"))));
    }
  }

  private String publisher() {
    return JsonMapper.shared()
        .readTree(folder.run("key", "show", "./signing.key", "--json").out())
        .get("publicPart")
        .asString();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /** A server or relay in a thread, which its interruption stops as a signal does. */
  private record Running(Thread thread, JsonNode ready) implements AutoCloseable {

    static Running start(String... words) throws Exception {
      PipedInputStream output = new PipedInputStream();
      PrintStream out =
          new PrintStream(new PipedOutputStream(output), true, StandardCharsets.UTF_8);
      Streams streams = new Streams(InputStream.nullInputStream(), out, out, System.err, Tty.NONE);
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  Main.run(
                      streams,
                      join(
                          join(words, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"),
                          "--engine",
                          "cpu:scalar",
                          "--json")));
      return new Running(
          thread,
          JsonMapper.shared().readTree(new Scanner(output, StandardCharsets.UTF_8).nextLine()));
    }

    String address() {
      return ready.get("listen").asString();
    }

    @Override
    public void close() {
      thread.interrupt();
      Threads.join(thread);
    }
  }

  @Test
  void everyCommandIsDocumented() throws Exception {
    Set<String> documented = JsonDocument.fields().keySet();
    for (CommandLine command : UsageTest.allCommands()) {
      String name = command.getCommandSpec().qualifiedName().replaceFirst("fieldstone ?", "");
      if (!WITHOUT_JSON.contains(name)) {
        assertThat(documented).as(name).anyMatch(heading -> heading.startsWith(name));
      }
    }
  }

  /** A failure is one object on standard output, and one line on standard error. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo ./missing",
        "encode ./missing -o ./out",
        "decode ./missing -o ./out",
        "recode ./missing -o ./out",
        "inspect ./missing",
        "serve ./missing --state ./state",
        "relay --from 127.0.0.1:1 --state ./file",
        "fetch x --from 127.0.0.1:1 --state ./file -o ./out",
        "relay --stream --from 127.0.0.1:1 --state ./file",
        "stream send ./missing --state ./state",
        "stream send ./file --state ./file",
        "stream receive --from 127.0.0.1:1 -o ./missing/out --state ./state",
        "stream",
        "key show ./missing",
        "key encryption -o ./missing/key",
        "key signing -o ./missing/key",
        "crc ./missing",
        "crc --check ./file",
        "crc --locate 0 ./file",
        "weights ./missing",
        "distance ./missing",
        "relays ./missing --range 5",
        "sort ./missing -o ./out --type u32",
        "sort ./file --check --type u32",
        "devices --engine abacus",
        "demo --receivers 0",
        "encode",
        "help brew",
        "brew",
        "",
      })
  void aFailureIsOneObjectToo(String line) throws Exception {
    RunOf run = folder.run(join(line.isEmpty() ? new String[0] : line.split(" "), "--json"));

    JsonNode object = JsonMapper.shared().readTree(run.out());
    assertThat(run.status()).isBetween(1, 3);
    assertThat(object.get("exit").asInt()).isEqualTo(run.status());
    String error = object.get("error").asString();
    assertThat(error).isNotEmpty().doesNotContain("\n");
    if (!line.matches(WITHOUT_LINE)) {
      assertThat(run.err()).contains("fieldstone: " + error + "\n");
    }
    if (!line.matches(WITH_RESULT)) {
      assertThat(object.propertyNames()).isEqualTo(JsonDocument.fields().get("Failures").keySet());
    }
  }
}
