package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
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
    stamp(base.resolve("a.txt"), 1_500_000_000_000_000_000L, "rw-r-----");
    stamp(base.resolve("b/ü"), 1_600_000_000_000_000_001L, "r--r--r--");
    stamp(base.resolve("c"), 1_700_000_000_000_000_000L, "rwxrwxrwx");
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
        .hasToString("e85ba86e7dbba690ac657d3e1a799157c3547f1ab6bd586be0d9293a01b35a91");
    assertThat(result.volumeBytes()).isEqualTo(2 * 4144);
    assertThat(digest(result.volumes().get(0)))
        .isEqualTo("e322f26d46b8ed10cecc9a453d849a2f1173949c675c878f376766680b443369");
    assertThat(digest(result.volumes().get(1)))
        .isEqualTo("bc5baed0506faed670186f84db2adc92ab2ddc8448f3e1a564cf6d51611e52fb");
    byte[] volume = Files.readAllBytes(result.volumes().get(1));
    assertThat(HexFormat.of().formatHex(volume, 4096, volume.length))
        .isEqualTo(
            "eb71c2585cbc8161a84875950fefd232b62c9f05e47ecd5712883ba140da69f3"
                + "eb71c258bf25960cbeab9676ec0c31d1");
  }

  private static void stamp(Path file, long modifiedNs, String mode) throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    Files.setLastModifiedTime(file, FileTime.from(modifiedNs, TimeUnit.NANOSECONDS));
  }

  private static String digest(Path file) throws Exception {
    return Sha256.hash(ByteBuffer.wrap(Files.readAllBytes(file))).toString();
  }
}
