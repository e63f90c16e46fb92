package io.fieldstone.spark.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** Joins the files that several tasks have written to one. */
public final class Joined {

  private static final int CHUNK_BYTES = 4 << 20;

  private Joined() {}

  /**
   * Writes a file.
   *
   * @param target replaced
   * @param before the bytes before the parts
   * @param parts paths in order; deleted by the owner of the staging folder
   * @param after the bytes after the parts
   */
  public static void write(
      Storage storage, Path target, byte[] before, List<String> parts, byte[] after)
      throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream out = storage.create(target)) {
      out.write(before);
      for (String part : parts) {
        try (InputStream in = storage.open(part, 0)) {
          for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            out.write(chunk, 0, count);
          }
        }
      }
      out.write(after);
    }
  }
}
