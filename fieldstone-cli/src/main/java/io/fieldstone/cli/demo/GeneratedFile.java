package io.fieldstone.cli.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Writes a file of random bytes that depend on a seed and the length only. */
public final class GeneratedFile implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;

  private GeneratedFile(Path file) {
    this.file = file;
  }

  /** Creates a temporary file, which {@link #close} deletes. */
  public static GeneratedFile create(long length, long seed) throws IOException {
    GeneratedFile created = new GeneratedFile(Files.createTempFile("fieldstone-demo", ".bin"));
    try (OutputStream out = Files.newOutputStream(created.file)) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long left = length; left > 0; left -= BUFFER_BYTES) {
        random.nextBytes(buffer);
        out.write(buffer, 0, (int) Math.min(left, BUFFER_BYTES));
      }
      return created;
    } catch (IOException | RuntimeException e) {
      created.close();
      throw e;
    }
  }

  /** Returns the file. */
  public Path path() {
    return file;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
