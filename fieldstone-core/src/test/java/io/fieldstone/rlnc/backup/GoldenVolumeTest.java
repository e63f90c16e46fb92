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
    Files.write(base.resolve("c"), Arrays.copyOf(content, 5));
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
        .hasToString("cc55300918870ceabef411ab0a19a3ef4a6c877417309c23188307d0c73e2920");
    assertThat(result.volumeBytes()).isEqualTo(2 * 4144);
    assertThat(digest(result.volumes().get(0)))
        .isEqualTo("e6ba42a212a9945be51a2cf49305e96fe816a2bf7100c94a1ed04a1d3fd3bc32");
    assertThat(digest(result.volumes().get(1)))
        .isEqualTo("075935456a74f35d73676828389545f200be60ac7b411f07bdcff11fef9347a8");
    byte[] volume = Files.readAllBytes(result.volumes().get(1));
    assertThat(HexFormat.of().formatHex(volume, 4096, volume.length))
        .isEqualTo(
            "eb71c2585cbc8161a84875950fefd232b62c9f05e47ecd5712883ba140da69f3"
                + "eb71c258bf25960cbeab9676ec0c31d1");
  }

  private static String digest(Path file) throws Exception {
    return Sha256.hash(ByteBuffer.wrap(Files.readAllBytes(file))).toString();
  }
}
