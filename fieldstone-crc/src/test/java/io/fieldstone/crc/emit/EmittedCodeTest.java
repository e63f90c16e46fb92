package io.fieldstone.crc.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles what is written, and runs its proof and its checksums, where there is a compiler. */
class EmittedCodeTest {

  private static final byte[] MESSAGE =
      "The quick brown fox jumps over the lazy dog, 48 bytes".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;

  private static EmittedCode emit(String model, EmittedLanguage language, int bits) {
    return EmittedCode.of(CrcCatalogue.model(model), language, bits);
  }

  /** Runs a command; the test is skipped if the command does not exist. */
  private String run(String... command) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      Assumptions.abort("no " + command[0]);
      throw e;
    }
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + "\n" + output).isZero();
    return output.strip();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32, 64", "CRC-32, 8", "CRC-32/BZIP2, 32", "CRC-16/XMODEM, 16", "CRC-5/USB, 1",
    "CRC-3/GSM, 4", "CRC-3/GSM, 32", "CRC-12/UMTS, 16", "CRC-64/XZ, 64", "CRC-64/ECMA-182, 64",
    "CRC-64/ECMA-182, 8", "CRC-40/GSM, 2", "CRC-4/G-704, 64", "CRC-31/PHILIPS, 64"
  })
  void compilesInC(String model, int bits) throws Exception {
    EmittedCode code = emit(model, EmittedLanguage.C, bits);
    write("crc.c", code.text());
    write(
        "main.c",
        """
        #include "crc.c"
        #include <stdio.h>
        int main(void) {
          printf("%%llx\\n", (unsigned long long)%s("%s", %d));
          return 0;
        }
        """
            .formatted(
                code.name(), new String(MESSAGE, StandardCharsets.US_ASCII), MESSAGE.length));
    String[] strict = {"gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1"};

    run(with(strict, "-D" + code.name().toUpperCase(Locale.ROOT) + "_TEST", "crc.c", "-o", "test"));
    assertThat(run(directory.resolve("test").toString())).isEqualTo("proven");
    run(with(strict, "main.c", "-o", "main"));
    assertThat(run(directory.resolve("main").toString())).isEqualTo(expected(model));
  }

  private static String[] with(String[] first, String... last) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }

  private static String expected(String model) {
    CrcModel known = CrcCatalogue.model(model);
    return Long.toHexString(Crc.of(known).hash(MESSAGE).toLong());
  }

  @ParameterizedTest
  @CsvSource({"CRC-32, 64", "CRC-16/XMODEM, 4", "CRC-12/UMTS, 16", "CRC-64/ECMA-182, 32"})
  void compilesInJava(String model, int bits) throws Exception {
    EmittedCode code = emit(model, EmittedLanguage.JAVA, bits);
    String type = ProgramText.className(code.name());
    write(type + ".java", code.text());
    write(
        "Show.java",
        """
        class Show {
          public static void main(String[] words) {
            System.out.println(Long.toHexString(%s.hash(words[0].getBytes())));
          }
        }
        """
            .formatted(type));
    Path bin = Path.of(System.getProperty("java.home"), "bin");

    run(bin.resolve("javac").toString(), "-Xlint:all", "-Werror", type + ".java", "Show.java");
    String java = bin.resolve("java").toString();
    assertThat(run(java, "-cp", ".", type)).isEqualTo("proven");
    assertThat(run(java, "-cp", ".", "Show", new String(MESSAGE, StandardCharsets.US_ASCII)))
        .isEqualTo(expected(model));
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32, 64",
    "CRC-16/XMODEM, 16",
    "CRC-3/GSM, 2",
    "CRC-12/UMTS, 16",
    "CRC-64/ECMA-182, 64",
    "CRC-40/GSM, 8"
  })
  void compilesInRust(String model, int bits) throws Exception {
    EmittedCode code = emit(model, EmittedLanguage.RUST, bits);
    write("sum.rs", code.text());
    write(
        "main.rs",
        """
        mod sum;
        fn main() {
            println!("{:x}", sum::hash(b"%s"));
        }
        """
            .formatted(new String(MESSAGE, StandardCharsets.US_ASCII)));

    run("rustc", "--test", "-D", "warnings", "sum.rs", "-o", "test");
    assertThat(run(directory.resolve("test").toString())).contains("1 passed");
    run("rustc", "main.rs", "-o", "main");
    assertThat(run(directory.resolve("main").toString())).isEqualTo(expected(model));
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32, 8",
    "CRC-16/XMODEM, 33",
    "CRC-5/USB, 1",
    "CRC-82/DARC, 7",
    "CRC-12/UMTS, 128"
  })
  void compilesInVerilog(String model, int bits) throws Exception {
    EmittedCode code = emit(model, EmittedLanguage.VERILOG, bits);
    String test = code.name().toUpperCase(Locale.ROOT) + "_TEST";
    write("crc.v", code.text());

    run("iverilog", "-Wall", "-g2001", "-o", "crc", "crc.v");
    run("iverilog", "-g2001", "-D" + test, "-s", code.name() + "_test", "-o", "test", "crc.v");
    assertThat(run("vvp", "test")).contains("proven");
    write("crc.v", code.text().replaceFirst("next\\[0\\] = ", "next[0] = 1'b1 ^ "));
    run("iverilog", "-g2001", "-D" + test, "-s", code.name() + "_test", "-o", "test", "crc.v");
    assertThat(run("vvp", "test")).contains("WRONG");
  }

  @ParameterizedTest
  @CsvSource({
    "CRC-32, 8",
    "CRC-16/XMODEM, 33",
    "CRC-5/USB, 1",
    "CRC-82/DARC, 7",
    "CRC-12/UMTS, 128"
  })
  void compilesInVhdl(String model, int bits) throws Exception {
    EmittedCode code = emit(model, EmittedLanguage.VHDL, bits);
    write("crc.vhd", code.text());

    run("ghdl", "-a", "crc.vhd");
    run("ghdl", "-e", code.name() + "_test");
    assertThat(run("ghdl", "-r", code.name() + "_test")).contains("proven");
  }

  @Test
  void refusesStepsThatItCannotWrite() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> emit("CRC-32", EmittedLanguage.C, 24))
        .withMessageContaining("24 bits a step");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> emit("CRC-82/DARC", EmittedLanguage.JAVA, 8))
        .withMessageContaining("up to 64 bits, not 82");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> emit("CRC-32", EmittedLanguage.VHDL, 0))
        .withMessageContaining("0 bits a step");
  }

  @Test
  void writesTheSameCodeEachTime() {
    EmittedCode code = emit("CRC-32", EmittedLanguage.C, 8);
    assertThat(code).isEqualTo(emit("CRC-32", EmittedLanguage.C, 8));
    assertThat(code.vectors()).isEqualTo(40);
    assertThat(List.of(EmittedLanguage.values()))
        .extracting(EmittedLanguage::ending)
        .containsExactly(".c", ".java", ".rs", ".v", ".vhd");
  }
}
