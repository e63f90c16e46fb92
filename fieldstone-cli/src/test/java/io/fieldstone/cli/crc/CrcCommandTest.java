package io.fieldstone.cli.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.RunOf;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CrcCommandTest {

  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;

  private Path digits;

  @BeforeEach
  void writeDigits() throws IOException {
    digits = Files.write(directory.resolve("digits"), DIGITS);
  }

  private static RunOf crc(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("crc"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return RunOf.fieldstone(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32/ISO-HDLC, cbf43926",
    "pkzip, cbf43926",
    "CRC-3/GSM, 4",
    "CRC-16/XMODEM, 31c3",
    "CRC-64/XZ, 995dc9bbdf1939fa",
    "CRC-82/DARC, 09ea83f625023801fd612",
  })
  void printsALineAsSha256sumDoes(String algorithm, String checksum) {
    RunOf run = crc("-a", algorithm, digits);

    assertThat(run).isEqualTo(new RunOf(0, checksum + "  " + digits + "\n", ""));
  }

  @Test
  void jsonNamesTheFirstFileThatCannotBeRead() {
    RunOf run = crc("--json", directory.resolve("missing"), digits, directory);
    assertThat(run.status()).isEqualTo(1);
    JsonNode json = JsonMapper.shared().readTree(run.out());
    assertThat(json.get("error").asString())
        .isEqualTo(
            "2 failed, the first one: no such file or directory: " + directory.resolve("missing"));
    assertThat(json.get("files")).hasSize(1);
  }

  /** Linux opens this file for its own process, and refuses to read its first page. */
  @ParameterizedTest
  @ValueSource(strings = {"crc", "crc --locate 1234", "crc --check", "relays --range 1", "weights"})
  @EnabledOnOs(OS.LINUX)
  void namesTheFileThatCannotBeRead(String command) {
    RunOf run = RunOf.fieldstone((command + " /proc/self/mem").split(" "));

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("fieldstone: input/output error: /proc/self/mem\n");
  }

  @Test
  void namesTheFileOfAListThatCannotBeRead() throws IOException {
    Path sums = Files.writeString(directory.resolve("sums"), "cbf43926  /proc/self/mem\n");
    Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/self/mem")));

    RunOf run = crc("--json", "--check", sums);

    assertThat(run.err()).contains("input/output error: /proc/self/mem\n");
  }

  @Test
  void quietHidesNoResult() {
    assertThat(crc("-q", "--combine", "0xcbf43926", "0x8587d865", 5).out()).isNotEmpty();
    assertThat(crc("-q", "--list", "CRC-32C").out()).contains("1edc6f41");
    assertThat(crc("-q", "--locate", "0xcbf43926", digits).out()).contains("matches");
  }

  @ParameterizedTest
  @CsvSource({
    "--list --method jdk, --method does not apply",
    "--combine 1 2 3 --tag, --tag does not apply",
    "--check sums --tag, --tag does not apply",
  })
  void refusesOptionsThatDoNothing(String options, String problem) {
    RunOf run = crc((Object[]) options.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: " + problem);
  }

  @Test
  void takesTheCrcOfZipFilesIfNoneIsNamed() throws IOException {
    byte[] bytes = new byte[3_000_001];
    new SplittableRandom(1).nextBytes(bytes);
    CRC32 expected = new CRC32();
    expected.update(bytes);
    Path file = Files.write(directory.resolve("file"), bytes);

    assertThat(crc(file).out()).isEqualTo("%08x  %s\n".formatted(expected.getValue(), file));
  }

  @Test
  void readsStandardInput() {
    for (String[] arguments : List.of(new String[] {"crc"}, new String[] {"crc", "-"})) {
      RunOf run = RunOf.reading(new ByteArrayInputStream(DIGITS), arguments);

      assertThat(run).isEqualTo(new RunOf(0, "cbf43926  -\n", ""));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--width 16 --poly 0x1021 --init 0xFFFF, 29b1",
    "--width 32 --poly 0x04C11DB7 --init ffffffff --refin --refout --xorout ffffffff, cbf43926",
    "--width 32 --poly EDB88320 --notation reversed --init ffffffff --refin --refout --xorout"
        + " ffffffff, cbf43926",
    "--width 32 --poly 0x82608EDB --notation koopman --init ffffffff --refin --refout --xorout"
        + " ffffffff, cbf43926",
  })
  void takesParametersInsteadOfAName(String parameters, String checksum) {
    List<Object> words = new ArrayList<>(List.of(parameters.split(" ")));
    words.add(digits);

    assertThat(crc(words.toArray()).out()).startsWith(checksum + "  ");
  }

  @ParameterizedTest
  @CsvSource({"bitwise", "bytewise", "slicing-16", "vector", "jdk"})
  void dividesByAnyMethod(String method) {
    if (method.equals("vector")) {
      String methods = crc("--method", "none", digits).err();
      Assumptions.assumeTrue(methods.contains(method), "vectors of 512 bits");
    }
    assertThat(crc("--method", method, digits).out()).startsWith("cbf43926  ");
  }

  @Test
  void goesOnAfterAFileThatCannotBeRead() {
    Path missing = directory.resolve("missing");

    RunOf run = crc(digits, missing, directory, digits);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("cbf43926  %1$s\ncbf43926  %1$s\n".formatted(digits));
    assertThat(run.err())
        .isEqualTo(
            "fieldstone: no such file or directory: %s\nfieldstone: is a directory: %s\n"
                .formatted(missing, directory));
  }

  /** FIFOs have no length, so they are read as streams; /dev/null has no bytes. */
  @Test
  void readsFifosAndDevices() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    byte[] bytes = new byte[1_000_000];
    new SplittableRandom(1).nextBytes(bytes);
    Path file = Files.write(directory.resolve("file"), bytes);
    Process writer =
        new ProcessBuilder("sh", "-c", "cat \"$0\" >\"$1\"", file.toString(), fifo.toString())
            .start();

    RunOf run = crc(fifo, "/dev/null", file);

    assertThat(writer.waitFor()).isZero();
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo(lines.get(2).replace("file", "fifo"));
    assertThat(lines.get(1)).isEqualTo("00000000  /dev/null");
  }

  /** The figure is that of GNU's cksum 9.1. */
  @Test
  void printsTheSameAsCksum() {
    assertThat(crc("--cksum", digits).out()).isEqualTo("930766865 9 " + digits + "\n");
    assertThat(RunOf.fieldstone("crc", "--cksum").out()).isEqualTo("4294967295 0\n");
  }

  @Test
  void printsJson() {
    JsonNode root = JsonMapper.shared().readTree(crc("--json", digits).out());

    assertThat(root.get("algorithm").asString()).isEqualTo("CRC-32/ISO-HDLC");
    assertThat(root.get("files").get(0).get("crc").asString()).isEqualTo("cbf43926");
    assertThat(root.get("files").get(0).get("bytes").asInt()).isEqualTo(9);
  }

  @Test
  void listsTheCatalogue() {
    assertThat(crc("--list").out().lines()).hasSize(1 + CrcCatalogue.entries().size());
    assertThat(crc("--list", "crc-32c").out())
        .contains("CRC-32/ISCSI", "CRC-32C", "1edc6f41", "82f63b78", "05ec76f1", "8f6e37a0");
  }

  @Test
  void combines() {
    // "1234" and "56789"
    assertThat(crc("--combine", "0x9be3e0a3", "0x131da070", 5).out()).isEqualTo("cbf43926\n");
  }

  @Test
  void locatesAFlippedBit() throws IOException {
    byte[] bytes = DIGITS.clone();
    bytes[3] ^= 0x10;
    Path damaged = Files.write(directory.resolve("damaged"), bytes);

    RunOf run = crc("--locate", "cbf43926", damaged);

    assertThat(run)
        .isEqualTo(new RunOf(0, damaged + ": byte 3, bit 4 is flipped (XOR 0x10)\n", ""));
    assertThat(crc("--locate", "cbf43926", digits).out()).endsWith(": checksum matches\n");
    assertThat(crc("--locate", "12345678", digits).status()).isEqualTo(1);
  }

  @Test
  void checksItsOwnOutput() throws IOException {
    Path other = Files.writeString(directory.resolve("a name \\ with\na break"), "x");
    for (String tag : List.of("", "--tag")) {
      List<Object> words = new ArrayList<>(List.of("-a", "CRC-24/BLE", digits, other));
      if (!tag.isEmpty()) {
        words.add(tag);
      }
      Path sums = Files.writeString(directory.resolve("sums"), crc(words.toArray()).out());

      RunOf run = tag.isEmpty() ? crc("-a", "crc-24/ble", "--check", sums) : crc("--check", sums);

      String shown = directory + "/a name \\\\ with\\na break";
      assertThat(run).isEqualTo(new RunOf(0, "%s: OK\n\\%s: OK\n".formatted(digits, shown), ""));
    }
  }

  @Test
  void reportsMismatchesAsSha256sum() throws IOException {
    Path missing = directory.resolve("missing");
    Path sums =
        Files.writeString(
            directory.resolve("sums"),
            "cbf43926  %1$s\nCBF43927 *%1$s\nnonsense\ncbf43926  %2$s\ncbf4392  %1$s\n"
                .formatted(digits, missing));

    RunOf run = crc("--check", sums);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .isEqualTo(
            "%1$s: OK\n%1$s: FAILED\n%2$s: FAILED open or read\n".formatted(digits, missing));
    assertThat(run.err())
        .isEqualTo(
            """
            fieldstone: no such file or directory: %s
            fieldstone: WARNING: 2 lines are improperly formatted
            fieldstone: WARNING: 1 listed file could not be read
            fieldstone: WARNING: 1 computed checksum did NOT match
            """
                .formatted(missing));
    assertThat(crc("--check", "--status", sums)).isEqualTo(new RunOf(1, "", ""));
    assertThat(crc("--check", "-q", sums).out()).doesNotContain("OK").contains("FAILED");
    assertThat(crc("--check", "--warn", sums).err()).contains(sums + ": 3: not a checksum line");
  }

  @Test
  void failsForMalformedLinesOnlyWithStrict() throws IOException {
    Path sums =
        Files.writeString(directory.resolve("sums"), "cbf43926  " + digits + "\nnonsense\n");

    assertThat(crc("--check", sums).status()).isZero();
    assertThat(crc("--check", "--strict", sums).status()).isEqualTo(1);
  }

  @Test
  void skipsMissingFilesWithIgnoreMissing() throws IOException {
    Path sums =
        Files.writeString(
            directory.resolve("sums"), "cbf43926  %s\ncbf43926  missing\n".formatted(digits));

    assertThat(crc("--check", "--ignore-missing", sums))
        .isEqualTo(new RunOf(0, digits + ": OK\n", ""));
  }

  @Test
  void wantsAtLeastOneChecksumInAList() throws IOException {
    Path sums = Files.writeString(directory.resolve("sums"), "nothing\nhere\n");

    RunOf run = crc("--check", sums);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("fieldstone: no properly formatted checksum lines found: " + sums + "\n");
  }

  @Test
  void goesOnAfterAListThatCannotBeRead() throws IOException {
    Path missing = directory.resolve("missing");
    Path empty = Files.createFile(directory.resolve("empty"));
    Path sums = Files.writeString(directory.resolve("sums"), "cbf43926  " + digits + "\n");
    String problems =
        """
        fieldstone: no such file or directory: %s
        fieldstone: is a directory: %s
        fieldstone: no properly formatted checksum lines found: %s
        """
            .formatted(missing, directory, empty);

    assertThat(crc("--check", missing, directory, empty, sums))
        .isEqualTo(new RunOf(1, digits + ": OK\n", problems));
    assertThat(crc("--check", "--status", missing, directory, empty, sums))
        .isEqualTo(new RunOf(1, "", problems));
    JsonNode json =
        JsonMapper.shared().readTree(crc("--check", "--json", missing, empty, sums).out());
    assertThat(json.get("error").asString())
        .isEqualTo(
            "2 lists could not be checked, the first one: no such file or directory: " + missing);
    assertThat(json.get("files")).hasSize(1);
  }

  @Test
  void checksTaggedLinesOfACustomCrc() throws IOException {
    String[] parameters = "--width 16 --poly 0x1021 --init 0xFFFF".split(" ");
    RunOf tagged = crc(join(parameters, "--tag", digits));
    assertThat(tagged.out()).isEqualTo("CRC-16/custom (" + digits + ") = 29b1\n");
    Path sums =
        Files.writeString(
            directory.resolve("sums"),
            tagged.out() + "CRC-32/ISO-HDLC (" + digits + ") = cbf43926\n");

    assertThat(crc(join(parameters, "--check", sums)))
        .isEqualTo(new RunOf(0, "%1$s: OK\n%1$s: OK\n".formatted(digits), ""));
    assertThat(crc("--check", "--strict", sums).err()).contains("1 line is improperly formatted");
  }

  private static Object[] join(Object[] first, Object... others) {
    return Stream.concat(Stream.of(first), Stream.of(others)).toArray();
  }

  /** The names are those that sha256sum 9.1 reads from such lines, with its digits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "'  cbf43926  a'; 'a'",
        "'\tcbf43926  a'; 'a'",
        "'cbf43926 a'; 'a'",
        "'cbf43926 *a'; 'a'",
        "'cbf43926\ta'; 'a'",
        "'cbf43926\t a'; 'a'",
        "'cbf43926   a'; ' a'",
        "'cbf43926  *a'; '*a'",
        "' \\cbf43926  a\\\\b'; 'a\\b'",
        "' CRC-32 (a) = cbf43926'; 'a'",
        "'CRC-32(a)=\tcbf43926'; 'a'",
        "'cbf43926 (a) = 12'; '(a) = 12'",
        "'cbf43926'; ''",
        "'cbf43926  '; ' '",
        "'cbf43926 '; ''",
        "'cbf43926a'; ''",
        "'CRC-32 (a) = cbf43926 '; ''",
      })
  void readsLinesAsSha256sum(String line, String name) {
    assertThat(read(unquoted(line), CrcOptions.crc32()).map(read -> read.path().toString()))
        .isEqualTo(Optional.of(unquoted(name)).filter(text -> !text.isEmpty()));
  }

  private static String unquoted(String text) {
    return text.substring(1, text.length() - 1);
  }

  /** The first line that is not tagged decides, so that " a" and "a" are not confused. */
  @Test
  void aListHasOneBlankBeforeNamesOrTwo() {
    CrcLineReader one = new CrcLineReader(CrcOptions.crc32());
    assertThat(one.read("CRC-32 (x) = cbf43926")).isPresent();
    assertThat(one.read("nonsense")).isEmpty();
    assertThat(one.read("cbf43926 a").orElseThrow().path()).isEqualTo(Path.of("a"));
    assertThat(one.read("cbf43926  a").orElseThrow().path()).isEqualTo(Path.of(" a"));
    assertThat(one.read("cbf43926 *a").orElseThrow().path()).isEqualTo(Path.of("*a"));

    CrcLineReader two = new CrcLineReader(CrcOptions.crc32());
    assertThat(two.read("cbf43926  a").orElseThrow().path()).isEqualTo(Path.of("a"));
    assertThat(two.read("cbf43926   a").orElseThrow().path()).isEqualTo(Path.of(" a"));
    assertThat(two.read("cbf43926 a")).isEmpty();
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    Path sums = Files.writeString(directory.resolve("sums"), "\uFEFFcbf43926  " + digits + "\r\n");
    Path sfv =
        Files.writeString(directory.resolve("sums.sfv"), "\uFEFF;x\r\n" + digits + " cbf43926");

    assertThat(crc("--check", sums, sfv))
        .isEqualTo(new RunOf(0, "%1$s: OK\n%1$s: OK\n".formatted(digits), ""));
  }

  /** As {@code --check <(…)}. */
  @Test
  void readsListsFromFifos() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Process writer =
        new ProcessBuilder(
                "sh", "-c", "echo \"cbf43926  $0\" >\"$1\"", digits.toString(), fifo.toString())
            .start();

    assertThat(crc("--check", fifo)).isEqualTo(new RunOf(0, digits + ": OK\n", ""));
    assertThat(writer.waitFor()).isZero();
  }

  /** A URI can have any bytes. */
  @Test
  void reportsNamesThatAreNotText() throws IOException {
    Path folder = Files.createDirectory(directory.resolve("f"));
    Path good = Files.write(folder.resolve("good"), DIGITS);
    Files.write(Path.of(URI.create(folder.toUri() + "bad%FF")), DIGITS);
    Path inner = Files.createDirectory(Path.of(URI.create(folder.toUri() + "in%FE")));
    Files.write(inner.resolve("x"), DIGITS);
    String problem = "fieldstone: name is not valid in the encoding of this locale, %s: %s\n";
    String encoding = System.getProperty("sun.jnu.encoding");

    assertThat(crc("-r", folder))
        .isEqualTo(
            new RunOf(
                1,
                "cbf43926  " + good + "\n",
                problem.formatted(encoding, folder + "/bad\\xff")
                    + problem.formatted(encoding, folder + "/in\\xfe")));
  }

  @Test
  void theListIsNoInput() throws Exception {
    Path file = Files.writeString(directory.resolve("film"), "of value");
    RunOf run = crc(file, "-o", file);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(file + " is also an input");
    assertThat(file).hasContent("of value");
  }

  /** The lines are those that rhash 1.4 --sfv prints, but for its comments. */
  @Test
  void writesAndChecksSfvLists() throws IOException {
    Path spaced = Files.writeString(directory.resolve("a b"), "x");
    String comment = "; CRC-32 of each file, by Fieldstone\n";
    String lines = digits + " CBF43926\n" + spaced + " 8CDC1683\n";

    assertThat(crc("--sfv", digits, spaced)).isEqualTo(new RunOf(0, comment + lines, ""));

    Path list = directory.resolve("LIST.SFV");
    assertThat(crc(digits, spaced, "-o", list)).isEqualTo(new RunOf(0, "", ""));
    assertThat(list).hasContent(comment + lines);
    assertThat(crc("--check", list))
        .isEqualTo(new RunOf(0, "%s: OK\n%s: OK\n".formatted(digits, spaced), ""));

    Files.writeString(spaced, "y");
    RunOf run = crc("--check", list);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("%s: OK\n%s: FAILED\n".formatted(digits, spaced));
  }

  /** Characters that end a line in Unicode do not end one of a list. */
  @Test
  void checksSfvLinesWithAnyCharacter() throws IOException {
    Path file = Files.writeString(directory.resolve("a\u0085b\u2028c"), "x");
    Path list = directory.resolve("list.sfv");
    assertThat(crc(digits, file, "-o", list).status()).isZero();
    Files.writeString(file, "y");
    assertThat(crc("--check", list).status()).isEqualTo(1);
  }

  @Test
  void readsSfvListsOfOtherProgramsAndName() throws IOException {
    Path list =
        Files.writeString(
            directory.resolve("list"),
            "; Generated by another program\r\n;\r\n%1$s   cbf43926 \r\nCBF43926\r\n"
                .formatted(digits));

    RunOf run = crc("--check", "--sfv", "--warn", list);

    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo(digits + ": OK\n");
    assertThat(run.err())
        .contains(list + ": 4: not a checksum line of CRC-32/ISO-HDLC")
        .contains("1 line is improperly formatted");
    assertThat(crc("--check", list).status()).as("not an SFV list by its name").isEqualTo(1);
  }

  @Test
  void aListHasTheFilesThatCouldBeRead() throws IOException {
    Path list = directory.resolve("sums.sfv");
    Path broken = Files.writeString(directory.resolve("a\nb"), "x");
    Path none = directory.resolve("none");

    RunOf strict = crc(digits, none, broken, "-o", list, "--strict");
    assertThat(strict.status()).isEqualTo(1);
    assertThat(strict.err())
        .contains("no such file", "cannot be in an SFV list: ", "warning: not written");
    assertThat(list).doesNotExist();
    RunOf missing = crc(none, digits, broken, "-o", list);
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err())
        .contains("no such file", "cannot be in an SFV list: ", "warning: 2 not in the list: ");
    assertThat(list).content().endsWith(digits + " CBF43926\n");
    assertThat(CrcLine.fitsSfv(Path.of("a "))).isFalse();
    assertThat(crc(digits, broken, "-o", directory.resolve("sums")).status()).isZero();
  }

  /** A name that begins as a comment does. */
  @Test
  void protectsNamesThatLookLikeComments() {
    CrcModel model = CrcCatalogue.model("crc32");
    CrcLine line = new CrcLine(model, CrcValue.of(32, 0xAB), Path.of(";x"));

    assertThat(line.sfv()).isEqualTo("./;x 000000AB");
  }

  /** The order is that of names in each folder; the list itself and links are not in it. */
  @Test
  void takesFoldersInTheOrderOfNames() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("f/b/c"));
    Path top = directory.resolve("f");
    Files.write(folder.resolve("1"), DIGITS);
    Files.write(top.resolve("b.txt"), DIGITS);
    Files.write(top.resolve("a"), DIGITS);
    Files.createSymbolicLink(top.resolve("link"), digits);
    Files.createSymbolicLink(top.resolve("loop"), top);
    List<String> names = List.of(top + "/a", top + "/b/c/1", top + "/b.txt");
    String expected = "cbf43926  " + String.join("\ncbf43926  ", names) + "\n";

    assertThat(crc("-r", top)).isEqualTo(new RunOf(0, expected, ""));

    Path list = top.resolve("SUMS");
    for (int round = 0; round < 2; round++) { // the second time the list exists
      assertThat(crc("-r", top, "-o", list).status()).isZero();
      assertThat(list).hasContent(expected);
    }
    assertThat(crc("--check", list, "-q")).isEqualTo(new RunOf(0, "", ""));

    RunOf link = crc("-r", top.resolve("loop"), digits);
    assertThat(link.status()).isEqualTo(1);
    assertThat(link.out()).isEqualTo("cbf43926  " + digits + "\n");
    assertThat(link.err()).contains("a symbolic link to a folder is not followed").contains("loop");
  }

  @Test
  void reportsFoldersThatCannotBeRead() throws IOException {
    List<IOException> failures = new ArrayList<>();
    FileTree tree = new FileTree(failures::add);
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, Set.of());
    tree.add(directory);

    assertThat(tree.files()).containsExactly(digits);
    if (!Files.isReadable(closed)) { // root may read it
      assertThat(failures).hasSize(1);
      RunOf run = crc("-r", directory);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).isEqualTo("fieldstone: permission denied: " + closed + "\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-r, -r needs a FILE",
    "-r --list, do not apply",
    "-r --check x, do not apply",
    "-o x --check y, do not apply",
    "--sfv --combine 1 2 3, do not apply",
    "--sfv --tag x, CRC-32 only",
    "--sfv --cksum x, CRC-32 only",
    "--sfv -a CRC-32C x, CRC-32 only",
    "-a CRC-16/ARC x -o y.sfv, CRC-32 only",
  })
  void refusesListsThatCannotBe(String words, String problem) {
    RunOf run = crc((Object[]) words.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  private static Optional<CrcLine> read(String line, CrcModel model) {
    return new CrcLineReader(model).read(line);
  }

  /** Lines of random words that lines are made of: none is anything but read or refused. */
  @Test
  void readsOrRefusesAnyLine() {
    CrcModel model = CrcCatalogue.model("CRC-32");
    String[] words = {"cbf43926", " ", "  ", " *", "\\", "(", ") = ", "CRC-32", "CRC-8", "f4", "é"};
    SplittableRandom random = new SplittableRandom(5);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder();
      for (int word = random.nextInt(9); word > 0; word--) {
        line.append(words[random.nextInt(words.length)]);
      }
      Optional<CrcLine> parsed = read(line.toString(), model);
      if (parsed.isPresent()) {
        read++;
        CrcLine again = parsed.get();
        assertThat(read(again.tagged(), model)).isEqualTo(parsed);
        assertThat(read(again.gnu(), again.model())).isEqualTo(parsed);
      }
    }
    assertThat(read).isPositive();
    assertThat(read("cbf43926  x", model))
        .contains(new CrcLine(model, CrcValue.of(32, 0xcbf43926L), Path.of("x")));
  }

  @Test
  void forcesAChecksumInACopy() throws IOException {
    Path copy = directory.resolve("copy");

    RunOf run = crc("--force", "deadbeef", "--at", 2, digits, "-o", copy);

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("at byte 2 give the checksum deadbeef (now cbf43926)");
    assertThat(crc(copy).out()).startsWith("deadbeef");
    assertThat(Files.readAllBytes(copy)).hasSize(9).startsWith('1', '2').endsWith('7', '8', '9');
    assertThat(digits).hasBinaryContent(DIGITS);
  }

  @Test
  void forcesAChecksumByLettersAtTheEndOfTheFileItself() throws IOException {
    RunOf run = crc("--force", "0", "--at", 9, "--printable", "--in-place", digits);

    assertThat(run.out()).contains("at byte 9 appended give the checksum 00000000");
    assertThat(Files.readString(digits)).matches("123456789[H-Oh-o]{9}");
    assertThat(crc(digits).out()).startsWith("00000000");
  }

  @Test
  void printsTheBytesOnlyUnlessAFileIsAskedFor() throws IOException {
    assertThat(crc("--force", "31c3", "--at", 0, digits, "-a", "CRC-16/XMODEM").out())
        .contains(": 31 32 at byte 0 give the checksum 31c3 (now 31c3)");
    assertThat(digits).hasBinaryContent(DIGITS);
  }

  /** Mode S, whose 88 bits have a checksum of 24: the first and the last bit are wrong. */
  @Test
  void locatesTwoWrongBitsOfAFrame() throws IOException {
    byte[] message = "Mode S 88bi".getBytes(StandardCharsets.US_ASCII);
    String[] modeS = {"--width", "24", "--poly", "fff409"};
    Path file = Files.write(directory.resolve("frame"), message);
    String sum = crc(modeS[0], modeS[1], modeS[2], modeS[3], file).out().substring(0, 6);
    message[0] ^= (byte) 0x80;
    Files.write(file, message);
    String wrong = "%06x".formatted(Integer.parseInt(sum, 16) ^ 1);

    RunOf run = crc("--locate", wrong, "--errors", 2, modeS[0], modeS[1], modeS[2], modeS[3], file);

    assertThat(run.out())
        .isEqualTo(
            ("%1$s: byte 0, bit 7 (bit 0 of the frame); checksum, bit 0 (bit 111 of the frame)\n"
                    + "%1$s: unique\n")
                .formatted(file));
  }

  /** RDS: 16 bits and a checkword of 10, which tells bursts of five bits apart, and not of nine. */
  @Test
  void saysWhereBurstsAreAmbiguous() throws IOException {
    Path file = Files.write(directory.resolve("block"), new byte[] {0x12, 0x34, 0x56});
    Object[] rds = {"--length", 16, "--width", 10, "--poly", "1b9", file};
    Path right = Files.write(directory.resolve("right"), new byte[] {0x12, 0x2C});
    String sum = crc("--width", 10, "--poly", "1b9", right).out().substring(0, 3);

    assertThat(crc(with(rds, "--locate", sum, "--burst", 5)).out())
        .isEqualTo(
            ("%1$s: byte 1, bit 4 (bit 11 of the frame); byte 1, bit 3 (bit 12 of the frame)\n"
                    + "%1$s: unique\n")
                .formatted(file));
    assertThat(crc(with(rds, "--locate", sum, "--burst", 9)).out()).contains(": ambiguous: any");
  }

  /** P. Koopman, "Best CRC Polynomials": 0x9eb2 has HD 6 up to 135 bits, and none at 136. */
  @Test
  void findsThePublishedPolynomialsOf16Bits() throws IOException {
    Path all = directory.resolve("all.csv");
    Path checkpoint = directory.resolve("checkpoint");

    RunOf run = crc("--best", 16, "--length", 135, "--hd", 6, "-o", all, "--resume", checkpoint);

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("9eb2     3d65    a6bc         6      469761     10\n")
        .endsWith("proven: 10 of 32,768 polynomials have HD 6 at 135 bits\n");
    assertThat(all)
        .content()
        .startsWith("koopman,normal,reciprocal,hd,undetected,terms\n")
        .contains("\n9eb2,3d65,a6bc,6,469761,10\n");
    assertThat(checkpoint).doesNotExist();
    RunOf none = crc("--best", 16, "--length", 136, "--hd", 6);
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).contains("proven: none of 32,768 polynomials has HD 6");
  }

  /** The values of S3 are those of its documentation's algorithm, big-endian and in base64. */
  @Test
  void readsAndPrintsBase64() throws IOException {
    assertThat(crc("--base64", digits).out()).isEqualTo("y/Q5Jg==  " + digits + "\n");
    assertThat(crc("--base64", "-a", "CRC-64/NVME", digits).out())
        .isEqualTo("rosUhgp5mIg=  " + digits + "\n");
    assertThat(crc("--base64", "--combine", "y/Q5Jg==", "hYfYZQ==", 5).out())
        .isEqualTo("3OZgYw==\n");
    Path sums = Files.writeString(directory.resolve("sums"), crc("--base64", digits).out());

    assertThat(crc("--base64", "--check", sums).out()).isEqualTo(digits + ": OK\n");
    Files.writeString(sums, "AAAAAA==  " + digits + "\n");
    assertThat(crc("--base64", "--check", sums).out()).isEqualTo(digits + ": FAILED\n");
  }

  @Test
  void emitsCode() throws IOException {
    Path file = directory.resolve("crc.v");

    RunOf run = crc("--emit", "verilog", "--bits", 4, "-a", "CRC-5/USB", "-o", file);

    assertThat(run.out())
        .isEqualTo(file + ": crc_5_usb in verilog, 4 bits a step, proven on 9 vectors\n");
    assertThat(file).content().contains("module crc_5_usb (");
    assertThat(crc("--emit", "java", "-a", "CRC-5/USB").out())
        .contains("public final class Crc_5_usb {");
  }

  private static Object[] with(Object[] last, Object... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray();
  }
}
