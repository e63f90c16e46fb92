package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHasherTest {

  /** Three pages. */
  private static final long MIN_MEMORY = 12288;

  private static final CrcModel MODEL = CrcCatalogue.model("CRC-64/XZ");

  private final Engine engine = Engine.open("cpu");
  private final FileHasher hasher = new FileHasher(MODEL, engine, MIN_MEMORY);

  @TempDir Path directory;

  @AfterEach
  void close() {
    hasher.close();
    hasher.close();
    engine.close();
  }

  /** Sizes around a page, and many times the buffer memory. */
  @Test
  void hashesFilesOfAnyLength() throws IOException, InterruptedException {
    for (int length : new int[] {0, 1, 4095, 4096, 4097, 8192, 12288, 300_001}) {
      byte[] bytes = bytes(length);
      LongAdder progress = new LongAdder();
      Path file = Files.write(directory.resolve("file" + length), bytes);

      assertThat(hasher.hash(file, progress::add))
          .isEqualTo(new FileHash.Hashed(file, Crc.of(MODEL).hash(bytes), length));
      assertThat(progress.sum()).isEqualTo(length);
      assertThat(hasher.hash(trickle(bytes), _ -> {})).isEqualTo(Crc.of(MODEL).hash(bytes));
    }
  }

  @Test
  void reportsFilesInOrderAndUnreadableFiles() throws InterruptedException, IOException {
    List<Path> files = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      contents.add(bytes(i * 400));
      files.add(Files.write(directory.resolve("file" + i), contents.get(i)));
    }
    files.set(20, directory.resolve("not there"));
    files.set(40, directory);
    List<FileHash> results = new ArrayList<>();
    LongAdder progress = new LongAdder();

    hasher.hashAll(files, 3, results::add, progress::add);

    assertThat(results).extracting(FileHash::path).isEqualTo(files);
    for (int i = 0; i < files.size(); i++) {
      if (i == 20 || i == 40) {
        assertThat(results.get(i)).isInstanceOf(FileHash.Unreadable.class);
      } else {
        assertThat(results.get(i))
            .isEqualTo(
                new FileHash.Hashed(
                    files.get(i), Crc.of(MODEL).hash(contents.get(i)), contents.get(i).length));
      }
    }
    assertThat(progress.sum())
        .isEqualTo(
            results.stream()
                .mapToLong(each -> each instanceof FileHash.Hashed hashed ? hashed.length() : 0)
                .sum());
  }

  @Test
  void exceptionsOfListenersPass() throws IOException {
    Path file = Files.write(directory.resolve("file"), bytes(100_000));
    List<Path> files = List.of(file, file, file, file);

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            hasher.hashAll(
                files,
                2,
                _ -> {
                  throw new IllegalArgumentException("enough");
                },
                _ -> {}))
        .withMessage("enough");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            hasher.hashAll(
                files,
                2,
                _ -> {},
                _ -> {
                  throw new IllegalArgumentException("too much");
                }))
        .withMessage("too much");
  }

  @Test
  void usesTheMethodThatIsAskedFor() throws IOException, InterruptedException {
    byte[] bytes = bytes(50_000);
    Path file = Files.write(directory.resolve("file"), bytes);
    for (String method : Crc.methods(MODEL, engine)) {
      try (FileHasher named = new FileHasher(MODEL, engine, method, MIN_MEMORY)) {
        assertThat(named.hash(file, _ -> {}).checksum()).isEqualTo(Crc.of(MODEL).hash(bytes));
      }
    }
    CrcModel wide = CrcCatalogue.model("CRC-82/DARC");
    try (FileHasher named = new FileHasher(wide, engine, MIN_MEMORY)) {
      assertThat(named.hash(file, _ -> {}).checksum()).isEqualTo(Crc.of(wide).hash(bytes));
    }
  }

  @Test
  void refusesTooLittle() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FileHasher(MODEL, engine, MIN_MEMORY - 1))
        .withMessageContaining("12287");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hasher.hashAll(List.of(), 0, _ -> {}, _ -> {}));
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> hasher.hash(directory.resolve("not there"), _ -> {}));
  }

  /** A stream that never gives as much as is asked for. */
  private static ReadableByteChannel trickle(byte[] bytes) {
    return Channels.newChannel(
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1000));
          }
        });
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
