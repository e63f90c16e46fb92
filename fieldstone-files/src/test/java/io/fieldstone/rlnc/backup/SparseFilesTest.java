package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Holes of a file, such as the image of a disk, are holes of the restored file. */
@EnabledOnOs(OS.LINUX)
class SparseFilesTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final int LENGTH = (8 << 20) + 1234;
  private static final int K = 1 << 16;

  /** An upper bound on the disk space of the data and the parity, with whole pages. */
  private static final long FEW_BYTES = 1 << 20;

  @TempDir private Path base;
  private Path image = Path.of("");
  private Path parity = Path.of("");
  private byte[] content = {};

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Data in two places, and holes before, between and behind them. */
  @BeforeEach
  void write() throws IOException {
    image = base.resolve("image");
    parity = base.resolve("parity");
    byte[] data = new byte[2 * K + 100];
    new Random(1).nextBytes(data);
    try (FileChannel file =
        FileChannel.open(image, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(data), 20L * K + 17);
      file.write(ByteBuffer.wrap(data, 0, 1000), 90L * K);
      file.write(ByteBuffer.allocate(1), LENGTH - 1);
    }
    content = Files.readAllBytes(image);
  }

  private static long space(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return 512 * Long.parseLong(blocks.strip());
  }

  private void protect() throws Exception {
    ProtectionParameters parameters =
        new ProtectionParameters(0.1, OptionalInt.empty(), OptionalInt.of(K), OptionalInt.of(2));
    new Protector(ENGINE, parameters, false)
        .protect(Selection.of(List.of(image), parity), parity, ProgressListener.NONE);
  }

  private void requireRestored() throws Exception {
    SetReport after =
        SetRepairer.open(ENGINE, parity).repair(base, false, ProgressListener.NONE).after();
    assertThat(after.isIntact()).isTrue();
    assertThat(Files.readAllBytes(image)).isEqualTo(content);
    assertThat(space(image)).isLessThan(FEW_BYTES);
  }

  @Test
  void aLostFileIsRestoredWithItsHoles() throws Exception {
    protect();
    Files.delete(image);
    requireRestored();
  }

  @Test
  void aFileThatIsCutOffIsRestoredInPlaceWithItsHoles() throws Exception {
    for (long length : new long[] {0, 20L * K + 1000, 40L * K + 5, LENGTH - 1}) {
      protect();
      try (FileChannel file = FileChannel.open(image, StandardOpenOption.WRITE)) {
        file.truncate(length);
      }
      requireRestored();
      for (String name : List.of("parity.00.fsp", "parity.01.fsp")) {
        Files.delete(parity.resolve(name));
      }
    }
  }

  /** Zeros over data are written, and data over a hole become zeros. */
  @Test
  void damageOfDataAndOfHoles() throws Exception {
    protect();
    try (FileChannel file = FileChannel.open(image, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(K), 20L * K + 17);
      file.write(ByteBuffer.wrap(content, 20 * K + 17, K), 60L * K + 5);
    }
    requireRestored();
  }

  @Test
  void parityOfHolesIsAHole() throws Exception {
    Files.delete(image);
    try (FileChannel file =
        FileChannel.open(image, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), 64L << 20);
    }
    content = Files.readAllBytes(image);
    protect();
    Path volume = parity.resolve("parity.00.fsp");
    assertThat(Files.size(volume)).isGreaterThan(3L << 20);
    assertThat(space(volume)).isLessThan(FEW_BYTES);
    Files.delete(volume);
    requireRestored();
    assertThat(space(volume)).isLessThan(FEW_BYTES);
  }

  @Test
  void decodeLeavesHoles() throws Exception {
    Path shards = Files.createDirectory(base.resolve("shards"));
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 8, K);
    List<Path> made =
        new FileEncoder(ENGINE, new EncodingParameters(shape, 3, 1, 7))
            .encode(image, shards, ProgressListener.NONE)
            .shards();
    Path decoded = base.resolve("decoded");
    new FileDecoder(ENGINE).decode(made, decoded, ProgressListener.NONE);
    assertThat(Files.readAllBytes(decoded)).isEqualTo(content);
    assertThat(space(decoded)).isLessThan(FEW_BYTES);
  }
}
