package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first checksum of a JVM needs no engine, whose classes take a tenth of a second to load. */
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

  /** The checksums of 64 zeros are those of {@link Crc#zeros}. */
  @ParameterizedTest
  @CsvSource({"crc32", "CRC-32C", "CRC-64/XZ", "CRC-16/MODBUS", "CRC-82/DARC"})
  void loadsNoClassOfAnEngine(String name) throws Exception {
    List<String> lines =
        ChildJvm.run(List.of("-Xlog:class+load"), FirstUse.class, name).lines().toList();
    CrcValue zeros = Crc.of(CrcCatalogue.model(name)).zeros(64);
    assertThat(lines).contains("value " + Long.toHexString(zeros.low()));
    assertThat(lines).anyMatch(line -> line.contains(" io.fieldstone.crc.Crc "));
    assertThat(lines)
        .noneMatch(line ->
            line.contains(" io.fieldstone.cpu.")
                || line.contains(" io.fieldstone.engine.EngineDirectory")
                || line.contains(" jdk.incubator.vector."));
  }
}
