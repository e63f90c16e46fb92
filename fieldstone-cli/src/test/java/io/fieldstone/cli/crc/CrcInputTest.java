package io.fieldstone.cli.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.RunOf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of the command line, several algorithms, and lists from elsewhere. */
class CrcInputTest {

  @TempDir Path directory;

  private static RunOf crc(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("crc"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return RunOf.fieldstone(words.toArray(String[]::new));
  }

  private Path digits(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "123456789");
  }

  /** A request of Modbus, whose CRC is sent as c5 cd. */
  @Test
  void messagesOfTheCommandLine() {
    assertThat(crc("-a", "modbus", "--hex", "01 03 00 00 00 0A"))
        .isEqualTo(new RunOf(0, "cdc5  01 03 00 00 00 0a\n", ""));
    assertThat(crc("--string", "123456789", "--string", "").out())
        .isEqualTo("cbf43926  123456789\n00000000  \n");
    assertThat(crc("-a", "crc32", "-a", "CRC-16/XMODEM", "--hex", "0x31:0x32,3334-35363738 39"))
        .isEqualTo(
            new RunOf(
                0,
                "CRC-32/ISO-HDLC (31 32 33 34 35 36 37 38 39) = cbf43926\n"
                    + "CRC-16/XMODEM (31 32 33 34 35 36 37 38 39) = 31c3\n",
                ""));
    assertThat(crc("--json", "--string", "123456789").out())
        .contains("\"crc\" : \"cbf43926\"", "\"bytes\" : 9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--hex 0x1g | 0x1g' is no hexadecimal digit",
        "--hex 012 | --hex: '012' has 3 digits, half a byte too many",
        "--hex 01 file | take -a and --tag only, and no FILE",
        "--string a --check | take -a and --tag only, and no FILE",
        "--relative | --relative needs --check or -o LIST",
        "-a crc32 -a crc32c --list | several --algorithm are for",
      })
  void refusesWhatDoesNotFit(String options, String problem) {
    RunOf run = crc((Object[]) options.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  @Test
  void severalAlgorithmsAtOnce() throws IOException {
    Path file = digits("digits");
    String expected = "CRC-32/ISO-HDLC (%s) = cbf43926\nCRC-32/ISCSI (%s) = e3069283\n";

    assertThat(crc("-a", "crc32", "-a", "crc32c", file))
        .isEqualTo(new RunOf(0, expected.formatted(file, file), ""));
    assertThat(
            RunOf.reading(
                new ByteArrayInputStream("123456789".getBytes(StandardCharsets.US_ASCII)),
                "crc",
                "-a",
                "crc32",
                "-a",
                "crc32c"))
        .isEqualTo(new RunOf(0, expected.formatted("-", "-"), ""));
    Path list = directory.resolve("SUMS");
    assertThat(crc("-a", "crc32", "-a", "crc64xz", file, "-o", list).status()).isZero();
    assertThat(crc("--check", list).out()).isEqualTo("%s: OK\n%s: OK\n".formatted(file, file));
  }

  @Test
  void aListOfAnotherCrcSaysWhich() throws IOException {
    Path file = digits("digits");
    Path list = Files.writeString(directory.resolve("SUMS"), "e3069283  " + file + "\n");

    RunOf run = crc("--check", list);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("the checksums are those of CRC-32/ISCSI: check it with -a CRC-32/ISCSI");

    Files.writeString(list, "995dc9bbdf1939fa  " + file + "\n");
    assertThat(crc("--check", list).err())
        .isEqualTo(
            "fieldstone: its checksums are those of CRC-64/XZ: check it with -a CRC-64/XZ: "
                + list
                + "\n");
    Files.writeString(list, "00000001  " + file + "\n");
    assertThat(crc("--check", list).err()).doesNotContain("check it with");
  }

  @ParameterizedTest
  @CsvSource({"UTF-16LE", "UTF-16BE", "UTF-8"})
  void listsOfWindowsAreRead(String charset) throws IOException {
    digits("Photos/Sea.jpg");
    String text = "\uFEFFcbf43926 *photos\\SEA.JPG\r\n";
    Path list = Files.write(directory.resolve("list.txt"), text.getBytes(charset));

    RunOf run = crc("--check", list, "--relative");

    assertThat(run).isEqualTo(new RunOf(0, "photos\\SEA.JPG: OK\n", ""));
    digits("Photos/SEA.jpg"); // two names that differ in case only
    assertThat(crc("--check", list, "--relative").err()).contains("no such file");
    Path sfv = Files.writeString(directory.resolve("list.sfv"), "Photos\\Sea.jpg CBF43926\r\n");
    assertThat(crc("--check", sfv, "--relative").status()).isZero();
  }

  @Test
  void namesAreRelativeToTheListOnRequest() throws IOException {
    Path file = digits("photos/a/sea.jpg");
    Path list = Files.createDirectories(directory.resolve("sums")).resolve("SUMS");

    assertThat(crc("-r", directory.resolve("photos"), "--relative", "-o", list).status()).isZero();

    assertThat(list).hasContent("cbf43926  ../photos/a/sea.jpg\n");
    assertThat(crc("--check", list, "--relative").out()).isEqualTo("../photos/a/sea.jpg: OK\n");
    assertThat(crc("--check", list).status()).isEqualTo(1);
    Files.delete(file);
    assertThat(crc("--check", list, "--relative").err()).contains("no such file");
  }
}
