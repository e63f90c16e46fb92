package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The first checksum of a JVM loads only what it needs: an engine with the port for checksums,
 * without kernels of other ports, the Vector API or kernels in C. The polynomials of the JDK and
 * wide registers need no engine.
 */
class CrcFirstUseTest {

  /** Prints the checksum of 64 bytes. */
  static final class FirstUse {
    public static void main(String[] args) {
      long before = System.nanoTime();
      Crc crc = Crc.of(CrcCatalogue.model(args[0]));
      crc.update(new byte[64], 0, 64);
      long value = crc.getValue();
      long nanoseconds = System.nanoTime() - before;
      System.out.println("value " + Long.toHexString(value));
      System.out.println("microseconds " + nanoseconds / 1000);
    }

    private FirstUse() {}
  }

  @ParameterizedTest
  @CsvSource({"crc32", "CRC-32C", "CRC-82/DARC"})
  void loadsNoClassOfAnEngine(String name) throws Exception {
    assertThat(loaded(name))
        .noneMatch(line ->
            line.contains(" io.fieldstone.cpu.")
                || line.contains(" io.fieldstone.engine.EngineDirectory"));
  }

  /** The JVM takes ten milliseconds to link its first lambda, and one for each of the next. */
  @ParameterizedTest
  @CsvSource({"CRC-64/XZ", "CRC-16/MODBUS"})
  void loadsAnEngineWithoutOtherPortsOrLambdas(String name) throws Exception {
    assertThat(loaded(name))
        .anyMatch(line -> line.contains(" io.fieldstone.cpu.checksums.CpuDivision "))
        .noneMatch(line ->
            line.contains(" jdk.incubator.vector.")
                || line.contains(" io.fieldstone.natives.NativeLibrary ")
                || line.contains(" io.fieldstone.cpu.sorting.RadixKernel ")
                || line.contains(" io.fieldstone.cpu.coding.CpuProducts ")
                || line.matches(".* io\\.fieldstone\\..*Lambda.*"));
  }

  /**
   * Returns the lines of loaded classes. The checksums of 64 zeros are those of {@link Crc#zeros}.
   */
  private static List<String> loaded(String name) throws Exception {
    List<String> lines =
        ChildJvm.run(List.of("-Xlog:class+load"), FirstUse.class, name).lines().toList();
    CrcValue zeros = Crc.of(CrcCatalogue.model(name)).zeros(64);
    assertThat(lines).contains("value " + Long.toHexString(zeros.low()));
    assertThat(lines).anyMatch(line -> line.contains(" io.fieldstone.crc.Crc "));
    return lines;
  }
}
