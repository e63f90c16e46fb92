package io.fieldstone.spark.storage;

import io.fieldstone.spark.JobFailedException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;

/**
 * The files that a job writes in a folder before they are complete. Each attempt of a task writes
 * files of its own, and names them in its result. Spark gives the driver one result of each task,
 * however often it ran, and the driver moves the files of these results into place. So a task that
 * runs twice, or is killed, leaves nothing but files in the staging folder, which goes with the
 * job.
 *
 * <p>Of the driver; {@link #attempt} is for tasks.
 */
public final class Staging implements AutoCloseable {

  private static final String PREFIX = "_fieldstone-";

  /**
   * A file to be moved into place.
   *
   * @param parts the complete file; or its parts, none of them empty, where {@link Storage#joins}
   * @param to its final path
   */
  public record Move(ArrayList<String> parts, String to) implements Serializable {

    /** Creates a move of a complete file. */
    public Move(String from, String to) {
      this(new ArrayList<>(List.of(from)), to);
    }
  }

  private final Storage storage;
  private final Path folder;

  private Staging(Storage storage, Path folder) {
    this.storage = storage;
    this.folder = folder;
  }

  /**
   * Creates an empty folder under a name that no other job uses.
   *
   * @param parent the folder of the results; created if it does not exist
   */
  public static Staging in(Storage storage, Path parent) throws IOException {
    Path folder = new Path(parent, PREFIX + UUID.randomUUID());
    storage.createFolder(parent);
    try {
      storage.createFolder(folder);
    } catch (JobFailedException e) {
      throw new JobFailedException("no files can be created in: " + parent, e);
    }
    return new Staging(storage, folder);
  }

  /** Returns the path of the folder, for tasks. */
  public String folder() {
    return folder.toString();
  }

  static boolean isStaging(Path path) {
    return path.getName().startsWith(PREFIX);
  }

  /**
   * Returns a path for the running attempt of a task.
   *
   * @param folder the {@link #folder}
   * @param name a name that is unique in the attempt
   */
  public static Path attempt(String folder, String name) {
    TaskContext task = TaskContext.get();
    String attempt = task == null ? "driver" : Long.toString(task.taskAttemptId());
    // In one folder, because HDFS joins only files of the same.
    return new Path(folder + "/" + name + "." + attempt);
  }

  /**
   * Joins parts of files; then moves the files into place, and replaces existing ones.
   *
   * @throws JobFailedException if a folder has the final path of a file; nothing is then moved
   */
  public static void commit(Storage storage, List<Move> moves) throws IOException {
    for (Move move : moves) {
      storage.requireNoFolder(new Path(move.to()));
    }
    for (Move move : moves) {
      storage.join(move.parts());
    }
    for (Move move : moves) {
      storage.move(new Path(move.parts().getFirst()), new Path(move.to()));
    }
  }

  /** Deletes the folder with all that was not moved. */
  @Override
  public void close() throws IOException {
    storage.delete(folder);
  }
}
