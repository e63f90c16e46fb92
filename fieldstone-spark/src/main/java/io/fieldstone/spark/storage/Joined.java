package io.fieldstone.spark.storage;

import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** Joins the files that several tasks have written to one. */
public final class Joined {

  private static final int CHUNK_BYTES = 1 << 20;

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
      return between(storage, target, before, parts, after);
    }
    try (StoredOutput out = storage.create(target);
        Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(CHUNK_BYTES);
      out.write(before);
      for (String part : parts) {
        copy(storage, part, chunk, out);
      }
      out.write(after);
    }
    return new ArrayList<>(List.of(target.toString()));
  }

  private static void copy(Storage storage, String part, MemorySegment chunk, StoredOutput out)
      throws IOException {
    try (PositionedInput in = storage.open(part)) {
      long count;
      for (long at = 0; (count = in.read(chunk, at)) > 0; at += count) {
        out.write(chunk.asSlice(0, count));
      }
    }
  }

  private static ArrayList<String> between(
      Storage storage, Path target, byte[] before, List<String> parts, byte[] after)
      throws IOException {
    ArrayList<String> all = new ArrayList<>(parts);
    List<StoredOutput> open = new ArrayList<>();
    try {
      if (before.length > 0) {
        open.add(storage.create(target));
        open.getLast().write(before);
        all.addFirst(target.toString());
      }
      if (after.length > 0) {
        Path file = target.suffix(".after");
        open.add(storage.create(file));
        open.getLast().write(after);
        all.add(file.toString());
      }
    } finally {
      StoredOutput.closeAll(open);
    }
    return all;
  }
}
