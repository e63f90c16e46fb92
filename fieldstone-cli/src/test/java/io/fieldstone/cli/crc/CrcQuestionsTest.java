package io.fieldstone.cli.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.RunOf;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code crc --find} and {@code crc --analyse}. */
class CrcQuestionsTest {

  private static final Path PAGE = Path.of("..", "docs", "crc.md");

  @TempDir Path directory;

  private static RunOf crc(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("crc"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return RunOf.fieldstone(words.toArray(String[]::new));
  }

  private static JsonNode json(Object... arguments) {
    List<Object> words = new ArrayList<>(List.of(arguments));
    words.add("--json");
    RunOf run = crc(words.toArray());
    assertThat(run.status()).as(run.err()).isZero();
    return JsonMapper.shared().readTree(run.out());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Returns lines of random messages and their checksums. */
  private static String lines(CrcModel model, int count, int length) {
    Random random = new Random(count);
    Crc crc = Crc.of(model);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      byte[] message = new byte[length];
      random.nextBytes(message);
      lines.append(HexFormat.of().formatHex(message)).append(' ').append(crc.hash(message));
      lines.append('\n');
    }
    return lines.toString();
  }

  /** The block of the page after a command, up to the next command or the end of the block. */
  private static String onThePage(String command) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("$ fieldstone " + command + "\n");
    assertThat(start).as(command).isNotNegative();
    String rest = page.substring(page.indexOf('\n', start) + 1);
    return rest.substring(0, Math.min(end(rest, "$ "), end(rest, "```")));
  }

  private static int end(String text, String mark) {
    return text.startsWith(mark) ? 0 : text.indexOf("\n" + mark) + 1;
  }

  @Test
  void thePageHasTheOutputOfFind() throws IOException {
    String page = Files.readString(PAGE);
    String cat = "$ cat samples.txt\n";
    String samples = page.substring(page.indexOf(cat) + cat.length());
    Path file = write("samples.txt", samples.substring(0, samples.indexOf("$ ")));

    assertThat(crc("--find", file).out()).isEqualTo(onThePage("crc --find samples.txt"));
  }

  @Test
  void thePageHasTheOutputOfAnalyse() throws IOException {
    assertThat(crc("--analyse", "CRC-16/XMODEM", "--length", "48").out())
        .isEqualTo(onThePage("crc --analyse CRC-16/XMODEM --length 48"));
    RunOf warned = crc("--analyse", "--width", "32", "--poly", "0xFA567D89");
    assertThat(warned.err())
        .isEqualTo(
            "warning: 0xfa567d89 in koopman notation is the polynomial of CRC-32/AUTOSAR,"
                + " 0xf4acfb13 in normal notation\n");
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-16/MODBUS, 3",
    "CRC-32/ISO-HDLC, 3",
    "CRC-8/SMBUS, 6",
    "CRC-64/XZ, 3",
    "CRC-3/GSM, 16",
    "CRC-7/MMC, 8",
    "CRC-24/OPENPGP, 3",
    "CRC-82/DARC, 3",
    "CRC-32/ISO-HDLC, 1"
  })
  void catalogued(String name, int samples) throws IOException {
    CrcModel model = CrcCatalogue.model(name);
    JsonNode found = json("--find", write("samples.txt", lines(model, samples, 16)));

    JsonNode first = found.path("models").path(0);
    assertThat(first.path("name").asString()).isEqualTo(name);
    assertThat(first.path("poly").asString()).isEqualTo(model.poly().toString());
    assertThat(first.path("from").asInt()).isZero();
    assertThat(first.path("to").asInt()).isEqualTo(15);
    assertThat(found.path("affine").asBoolean()).isTrue();
    assertThat(found.path("outliers")).isEmpty();
  }

  @Test
  void binaryFramesAndFilesOfMessages() throws IOException {
    Crc crc = Crc.of(CrcCatalogue.model("CRC-32/ISO-HDLC"));
    List<Object> words = new ArrayList<>(List.of("--find"));
    StringBuilder list = new StringBuilder();
    Random random = new Random(5);
    for (int i = 0; i < 4; i++) {
      byte[] message = new byte[20 + i];
      random.nextBytes(message);
      Path file = Files.write(directory.resolve("message" + i), message);
      list.append('@').append(file).append(' ').append(crc.hash(message)).append('\n');
      byte[] frame = Arrays.copyOf(message, message.length + 4);
      System.arraycopy(crc.hash(message).toByteArray(), 0, frame, message.length, 4);
      words.add(Files.write(directory.resolve("frame" + i), frame));
    }

    assertThat(json(words.toArray()).path("models").path(0).path("name").asString())
        .isEqualTo("CRC-32/ISO-HDLC");
    assertThat(
            json("--find", write("list", list.toString()))
                .path("models")
                .path(0)
                .path("name")
                .asString())
        .isEqualTo("CRC-32/ISO-HDLC");
  }

  @Test
  void columnsOfCsv() throws IOException {
    String lines = lines(CrcCatalogue.model("CRC-16/MODBUS"), 4, 9).replace(' ', ',');
    Path usual = write("usual.csv", "data,crc\n" + lines);
    Path other = write("other.csv", "Bytes,Check\n" + lines);

    assertThat(json("--find", usual).path("models").path(0).path("name").asString())
        .isEqualTo("CRC-16/MODBUS");
    assertThat(
            json("--find", other, "--columns", "bytes,check")
                .path("models")
                .path(0)
                .path("name")
                .asString())
        .isEqualTo("CRC-16/MODBUS");
    assertThat(crc("--find", other).err()).contains("no column 'message'", "--columns");
  }

  @Test
  void onlyInitUnknown() throws IOException {
    CrcModel model = CrcCatalogue.model("CRC-16/MODBUS");
    String one = lines(model, 1, 9);

    JsonNode found = json("--find", write("one", one), "-a", "CRC-16/MODBUS");

    assertThat(found.path("models").path(0).path("init").asString()).isEqualTo("ffff");
    assertThat(found.path("openBits").asInt() + found.path("equivalentBits").asInt()).isEqualTo(16);
  }

  @Test
  void rangeInALongDump() throws IOException {
    Crc crc = Crc.of(CrcCatalogue.model("CRC-32/BZIP2"));
    StringBuilder list = new StringBuilder();
    Random random = new Random(6);
    for (int i = 0; i < 3; i++) {
      byte[] dump = new byte[200_000];
      random.nextBytes(dump);
      Path file = Files.write(directory.resolve("dump" + i), dump);
      list.append('@').append(file).append(' ');
      list.append(crc.hash(Arrays.copyOfRange(dump, 1000, 150_001))).append('\n');
    }
    JsonNode first = json("--find", write("list", list.toString())).path("models").path(0);

    assertThat(first.path("name").asString()).isEqualTo("CRC-32/BZIP2");
    assertThat(first.path("from").asInt()).isEqualTo(1000);
    assertThat(first.path("to").asInt()).isEqualTo(150_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ;# only a comment                | no samples: FILE
          0102 12;010 34                  | an odd number of hexadecimal digits, 3: FILE, line 2
          01 xy                           | checksum: 'xy' is not a hexadecimal number: FILE, line 1
          0g02 12                         | 'g' is no hexadecimal digit: FILE, line 1
          010203 12;04050607              | a message without a checksum: FILE, line 2
          01 12345678;02 9abcdef0         | checksums of 32 bits are wider than their messages: FILE
          0102030405 1234;0607080900 5678 | 2 samples of equal length are too few: 2 more decide
          """)
  void badInput(String lines, String error) throws IOException {
    Path file = write("samples", lines.replace(';', '\n'));
    RunOf run = crc("--find", file);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("fieldstone: " + error.replace("FILE", file.toString()));
    assertThat(run.out()).isEmpty();
  }

  @Test
  void samplesThatContradictEachOther() throws IOException {
    RunOf run = crc("--find", write("samples", "010203 1234\n010203 1235\n"));

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("samples 1 and 2 have the same message");
  }

  @Test
  void curves() throws IOException {
    Path csv = directory.resolve("curve.csv");
    Path svg = directory.resolve("curve.svg");

    RunOf run = crc("--analyse", "CRC-8", "--length", "64", "--bit-error", "0.01", "--curve", csv);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("0.01");
    assertThat(Files.readAllLines(csv)).hasSize(50).first().isEqualTo("bit_error,undetected");
    assertThat(Files.readAllLines(csv).getLast()).startsWith("0.5,0.0039");
    assertThat(crc("--analyse", "CRC-8", "--length", "64", "--curve", svg).status()).isZero();
    assertThat(Files.readString(svg)).contains("<svg");
    assertThat(crc("--analyse", "CRC-8", "--length", "64", "--curve", "x.txt").status())
        .isEqualTo(2);
  }

  @Test
  void analysisOfLengthsBeyondTheOrderAndOfWideCrcs() {
    assertThat(crc("--analyse", "CRC-8/SMBUS", "--length", "200").err())
        .contains("200 bits are more than 119");
    assertThat(crc("--analyse", "CRC-40/GSM", "--length", "200", "--bit-error", "0.01").err())
        .contains("a width of at most 32");
    assertThat(crc("--analyse", "CRC-82/DARC").err()).contains("82 bits");
  }
}
