package io.fieldstone.spark.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** Joins the files that several tasks have written to one. */
public final class Joined {

  private static final int CHUNK_BYTES = 4 << 20;

  private Joined() {}

  /**
   * Writes a file, or only the bytes before and after the parts where {@link Storage#joins}.
   *
   * @param target of an attempt of a task
   * @param before the bytes before the parts
   * @param parts paths in order, of files that are not empty; deleted by the owner of the staging
   *     folder
   * @param after the bytes after the parts
   * @return the parts of a {@link Staging.Move}
   */
  public static ArrayList<String> write(
      Storage storage, Path target, byte[] before, List<String> parts, byte[] after)
      throws IOException {
    if (!parts.isEmpty() && storage.joins(target)) {
      ArrayList<String> all = new ArrayList<>();
      addFile(storage, target, before, all);
      all.addAll(parts);
      addFile(storage, target.suffix(".after"), after, all);
      return all;
    }
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
    return new ArrayList<>(List.of(target.toString()));
  }

  private static void addFile(Storage storage, Path file, byte[] bytes, List<String> files)
      throws IOException {
    if (bytes.length > 0) {
      try (OutputStream out = storage.create(file)) {
        out.write(bytes);
      }
      files.add(file.toString());
    }
  }
}
