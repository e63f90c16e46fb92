package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Zeros of a file, such as the holes of an image of a disk, are neither sent nor written. */
@Timeout(180)
class SparseFetchTest {

  private static final int BLOCK = ServerSettings.DEFAULT_BLOCK_SIZE;
  private static final int GENERATION = 64 * BLOCK;

  /** More than what is written, with whole pages. */
  private static final long FEW_BYTES = 5 * GENERATION;

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  /** Writes a file of zeros with some bytes at the start of some generations. */
  private Path write(int length, int... generations) throws IOException {
    byte[] bytes = new byte[length];
    byte[] data = new byte[BLOCK];
    new Random(1).nextBytes(data);
    for (int each : generations) {
      System.arraycopy(data, 0, bytes, each * GENERATION, data.length);
    }
    Path file = folder.resolve("files/image");
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  private static long space(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return 512 * Long.parseLong(blocks.strip());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void zerosAreNotSentAndBecomeHoles() throws Exception {
    Path file = write(100 * GENERATION + 5, 7, 30);
    Server server = net.serve("server", file);

    FetchResult result = net.fetched(net.settings("image", server), file);

    assertThat(result.zeroBytes()).isEqualTo(98L * GENERATION + 5);
    assertThat(result.resumedBytes()).isZero();
    assertThat(result.fetchedBytes()).isEqualTo(2L * GENERATION);
    assertThat(result.blocksNeeded()).isEqualTo(128);
    assertThat(space(net.output(file))).isLessThan(FEW_BYTES);
  }

  @Test
  void aFileOfZerosNeedsNoBlocks() throws Exception {
    Path file = write(9 * GENERATION + 1);
    Server server = net.serve("server", file);

    FetchResult result = net.fetched(net.settings("image", server), file);

    assertThat(result.zeroBytes()).isEqualTo(Files.size(file));
    assertThat(result.blocksNeeded()).isZero();
  }

  /** Zeros replace what another attempt has left; holes of that attempt are zeros that it has. */
  @Test
  void zerosAreWrittenOverOtherBytes() throws Exception {
    Path file = write(20 * GENERATION, 2, 15);
    Server server = net.serve("server", file);
    byte[] left = Arrays.copyOf(Files.readAllBytes(file), 10 * GENERATION);
    left[2 * GENERATION + BLOCK] = 1;
    left[6 * GENERATION] = 1;
    Files.write(PartFile.partOf(net.output(file)), left);

    FetchResult result = net.fetched(net.settings("image", server), file);

    assertThat(result.resumedBytes()).isEqualTo(8L * GENERATION);
    assertThat(result.zeroBytes()).isEqualTo(9L * GENERATION);
    assertThat(result.blocksNeeded()).isEqualTo(3 * 64);
  }

  /** A longer part file, of another object, is cut off. */
  @Test
  void nothingOfALongerFileStays() throws Exception {
    Path file = write(4 * GENERATION, 0);
    Server server = net.serve("server", file);
    byte[] left = new byte[6 * GENERATION];
    Arrays.fill(left, (byte) 1);
    Files.write(PartFile.partOf(net.output(file)), left);

    FetchResult result = net.fetched(net.settings("image", server), file);

    assertThat(result.zeroBytes()).isZero();
    assertThat(result.blocksNeeded()).isEqualTo(4 * 64);
  }
}
