package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Lets the owner of read-only files and folders write them for a time. Their modes are given back
 * on close. After a crash they stay writable for their owner. For one thread.
 */
public final class WriteRights implements AutoCloseable {

  private static final int OWNER_WRITES = 0200;
  private static final int OWNER_WRITES_A_FOLDER = 0300;

  /** The former modes. */
  private final Map<Path, Integer> modes = new LinkedHashMap<>();

  /** Creates an instance without files. */
  public WriteRights() {}

  /**
   * Lets the owner write a file, or make files in a folder. Has no effect if that is possible
   * already, and for files of other users: opening one gives the reason.
   *
   * @param path an existing file or folder, no link
   */
  public void grant(Path path) throws IOException {
    Optional<FileMetadata> metadata = FileMetadata.of(path);
    if (metadata.isEmpty() || modes.containsKey(path)) {
      return;
    }
    boolean isFolder = Files.isDirectory(path);
    // Root may write all files, but Temporaries replaces no file that nobody may write.
    if (Files.isWritable(path) && (isFolder || !metadata.get().isReadOnly())) {
      return;
    }
    int mode = metadata.get().mode();
    try {
      FileMetadata.setPermissions(path, mode | (isFolder ? OWNER_WRITES_A_FOLDER : OWNER_WRITES));
      modes.put(path, mode);
    } catch (IOException _) {
      // Opening it for writing gives the reason.
    }
  }

  /** Leaves a file with the mode that it has now. */
  public void forget(Path path) {
    modes.remove(path);
  }

  /** Gives the files and folders their former modes. */
  @Override
  public void close() {
    for (Map.Entry<Path, Integer> each : modes.entrySet()) {
      try {
        FileMetadata.setPermissions(each.getKey(), each.getValue());
      } catch (IOException e) {
        System.getLogger(WriteRights.class.getName())
            .log(
                Level.WARNING,
                "{0} stays writable for its owner: {1}",
                each.getKey(),
                FileProblem.reason(e));
      }
    }
    modes.clear();
  }
}
