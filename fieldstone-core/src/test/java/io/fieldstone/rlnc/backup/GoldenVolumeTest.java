package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The volumes of docs/format.md, "Sets", which a script in another language computes. */
class GoldenVolumeTest {

  @ParameterizedTest
  @ValueSource(strings = {"cpu:scalar", "cpu"})
  void volumesAreTheseBytes(String engineName, @TempDir Path base) throws Exception {
    byte[] content = new byte[100];
    for (int at = 0; at < content.length; at++) {
      content[at] = (byte) at;
    }
    Files.write(base.resolve("a.txt"), content);
    Files.createDirectory(base.resolve("b"));
    Files.write(base.resolve("b/ü"), Arrays.copyOf(content, 20));
    Path parity = base.resolve("parity");
    ProtectionParameters parameters =
        new ProtectionParameters(0.5, OptionalInt.of(4), OptionalInt.of(16), OptionalInt.of(2));
    ProtectionResult result;
    try (Engine engine = Engine.open(engineName)) {
      result =
          new Protector(engine, parameters, false)
              .protect(Selection.of(List.of(base), parity), parity, ProgressListener.NONE);
    }
    assertThat(result.manifest().id())
        .hasToString("cfbf34622dbb1fe07705b3cb93a532f7109ada1889fd54683f41ad148928b9af");
    assertThat(result.volumeBytes()).isEqualTo(2 * 4144);
    assertThat(digest(result.volumes().get(0)))
        .isEqualTo("30b503c20460981060b1e0a4d56cfd52629828d4bc72b9c95ee49f15d7170ae1");
    assertThat(digest(result.volumes().get(1)))
        .isEqualTo("0704fdf53f20b4778fdd9ccaa758f208a282ae40abbdf164672a69d1cf9cb49f");
    byte[] volume = Files.readAllBytes(result.volumes().get(1));
    assertThat(HexFormat.of().formatHex(volume, 4096, volume.length))
        .isEqualTo(
            "eb71c2585cbc8161a84875950fefd232b62c9f05e47ecd5712883ba140da69f3"
                + "eb71c258bf5f62824bab9676ec0c31d1");
  }

  private static String digest(Path file) throws Exception {
    return Sha256.hash(ByteBuffer.wrap(Files.readAllBytes(file))).toString();
  }
}
