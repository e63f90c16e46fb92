package io.fieldstone.spark.storage;

import io.fieldstone.spark.JobFailedException;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.PositionedInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * The file systems that a driver and its executors reach with the same configuration: HDFS, object
 * stores, and directories of this machine or mounted on all. Thread-safe.
 */
public final class Storage implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final Comparator<StoredFile> BY_NAMES =
      (one, other) -> Arrays.compare(one.relative().split("/"), other.relative().split("/"));

  /** Read once by an executor, not by each task. */
  private final Broadcast<SerializableConfiguration> configuration;

  private transient volatile @Nullable LocalFiles local;

  private Storage(Broadcast<SerializableConfiguration> configuration) {
    this.configuration = configuration;
  }

  /** Returns the storage of a Spark context. */
  public static Storage of(JavaSparkContext context) {
    return new Storage(
        context.broadcast(new SerializableConfiguration(context.hadoopConfiguration())));
  }

  /**
   * Returns the qualified path of a name.
   *
   * @throws JobFailedException if the name is not a path, or has a scheme without file system
   */
  public Path path(String name) throws IOException {
    try {
      Path path = new Path(name);
      return fileSystem(path).makeQualified(path);
    } catch (IllegalArgumentException e) {
      throw new JobFailedException("not a path: '%s': %s".formatted(name, e.getMessage()), e);
    }
  }

  FileSystem fileSystem(Path path) throws IOException {
    FileSystem found = path.getFileSystem(configuration.value().value());
    return found instanceof LocalFileSystem ? local() : found;
  }

  private LocalFiles local() throws IOException {
    LocalFiles files = local;
    if (files == null) {
      files = LocalFiles.open(configuration.value().value());
      local = files;
    }
    return files;
  }

  /**
   * Lists a file, or the files in a folder and its subfolders, each folder in the order of names.
   *
   * @param root as the user gave it
   * @throws FileNotFoundException if there is no such file or folder
   */
  public List<StoredFile> list(String root) throws IOException {
    Path path = path(root);
    FileStatus status = fileSystem(path).getFileStatus(path);
    if (status.isFile()) {
      return List.of(stored(status, root, path.getName()));
    }
    List<StoredFile> files = new ArrayList<>();
    addFolder(path, root.endsWith("/") ? root : root + "/", "", files);
    files.sort(BY_NAMES);
    return files;
  }

  /**
   * Returns a file.
   *
   * @param name as the user gave it
   * @throws FileNotFoundException if there is none
   * @throws JobFailedException if it is a folder
   */
  public StoredFile file(String name) throws IOException {
    Path path = path(name);
    FileStatus status = fileSystem(path).getFileStatus(path);
    if (!status.isFile()) {
      throw new JobFailedException("is a directory: " + path);
    }
    return stored(status, name, path.getName());
  }

  private void addFolder(Path folder, String root, String prefix, List<StoredFile> files)
      throws IOException {
    for (FileStatus entry : fileSystem(folder).listStatus(folder)) {
      String relative = prefix + entry.getPath().getName();
      if (entry.isSymlink() || Staging.isStaging(entry.getPath())) {
        continue;
      }
      if (entry.isDirectory()) {
        addFolder(entry.getPath(), root, relative + "/", files);
      } else {
        files.add(stored(entry, root + relative, relative));
      }
    }
  }

  private static StoredFile stored(FileStatus status, String name, String relative) {
    return new StoredFile(
        status.getPath().toString(), name, relative, status.getLen(), status.getModificationTime());
  }

  /**
   * Checks that a file is still as it was listed.
   *
   * @throws JobFailedException if it has another length or another time
   */
  public void requireUnchanged(StoredFile file) throws IOException {
    Path path = new Path(file.path());
    FileStatus now = fileSystem(path).getFileStatus(path);
    if (now.getLen() != file.length() || now.getModificationTime() != file.modified()) {
      throw new JobFailedException(
          "was changed while it was read (%d bytes before, %d now): %s"
              .formatted(file.length(), now.getLen(), file.name()));
    }
  }

  /** Returns true if there is a file or folder. */
  public boolean exists(Path path) throws IOException {
    return fileSystem(path).exists(path);
  }

  /**
   * Checks that there is no folder, into which a file would be moved instead of replacing it.
   *
   * @throws JobFailedException if there is one
   */
  public void requireNoFolder(Path path) throws IOException {
    if (exists(path)) {
      StoredFile _ = file(path.toString());
    }
  }

  /**
   * Returns true if the file system of a path joins files without copying them, as HDFS does, so
   * that a {@link Staging.Move} may have several parts.
   */
  public boolean joins(Path path) throws IOException {
    return fileSystem(path).hasPathCapability(path, CommonPathCapabilities.FS_CONCAT);
  }

  /** Appends files to the first of them, and deletes them. */
  void join(List<String> parts) throws IOException {
    if (parts.size() > 1) {
      Path first = new Path(parts.getFirst());
      fileSystem(first).concat(first, parts.stream().skip(1).map(Path::new).toArray(Path[]::new));
    }
  }

  /** Opens a file for reading at positions. */
  public PositionedInput open(String path) throws IOException {
    Path file = new Path(path);
    FileSystem fileSystem = fileSystem(file);
    if (fileSystem instanceof LocalFiles local) {
      return OpenFile.read(local.path(file));
    }
    return new HadoopInput(file, fileSystem.open(file), fileSystem.getFileStatus(file).getLen());
  }

  /** Returns an opener of a file with a qualified path. */
  public PositionedInput.Opener opener(String path) {
    return new PositionedInput.Opener() {
      @Override
      public java.nio.file.Path name() {
        return HadoopInput.nameOf(path);
      }

      @Override
      public PositionedInput open() throws IOException {
        return Storage.this.open(path);
      }
    };
  }

  /** Creates a file and its folders. An existing file is replaced. */
  public StoredOutput create(Path path) throws IOException {
    FileSystem fileSystem = fileSystem(path);
    if (fileSystem instanceof LocalFiles local) {
      local.mkdirs(path.getParent());
      return new StoredOutput.Local(OpenFile.overwrite(local.path(path)), 0);
    }
    return new StoredOutput.Hadoop(fileSystem.create(path, true));
  }

  /**
   * Returns true if tasks may write ranges of one file in a folder at the same time, by {@link
   * #share}.
   */
  public boolean shares(Path folder) throws IOException {
    return fileSystem(folder) instanceof LocalFiles local && local.isCoherent(folder);
  }

  /**
   * Opens or creates a file that several tasks write, each from a position of its own on. An
   * attempt that runs twice writes the same bytes at the same places.
   *
   * @param path in a folder that {@link #shares}
   * @throws JobFailedException if it does not on this machine
   */
  public StoredOutput share(Path path, long position) throws IOException {
    if (!shares(path.getParent())) {
      throw new JobFailedException(
          "an executor has another file system there than the driver, and cannot write parts of a"
              + " file: "
              + path.getParent());
    }
    return new StoredOutput.Local(OpenFile.share(local().path(path)), position);
  }

  /** Reads a small file. */
  public byte[] read(Path path) throws IOException {
    try (InputStream in = fileSystem(path).open(path)) {
      return in.readAllBytes();
    }
  }

  /**
   * Replaces a small file: a reader sees the old bytes or the new ones, except where the file
   * system has no atomic rename.
   */
  public void replace(Path path, byte[] bytes) throws IOException {
    Path part = new Path(path.getParent(), "_" + path.getName() + ".part");
    try (StoredOutput out = create(part)) {
      out.write(bytes);
    }
    move(part, path);
  }

  /** Moves a file or a folder; a file replaces an existing one, at once where that is possible. */
  void move(Path from, Path to) throws IOException {
    FileSystem fileSystem = fileSystem(to);
    fileSystem.mkdirs(to.getParent());
    if (fileSystem instanceof DistributedFileSystem hdfs) {
      hdfs.rename(from, to, Options.Rename.OVERWRITE);
    } else if (!tryRename(fileSystem, from, to)) {
      fileSystem.delete(to, false);
      if (!fileSystem.rename(from, to)) {
        throw new JobFailedException("cannot be moved into place: " + to);
      }
    }
  }

  /**
   * Replaces a folder, if it exists, by another. The old one is moved aside before, and back if
   * that fails. A process that is killed leaves it under its name or aside.
   *
   * @param aside a path without file or folder
   */
  public void replaceFolder(Path from, Path to, Path aside) throws IOException {
    boolean isReplaced = exists(to);
    if (isReplaced) {
      move(to, aside);
    }
    try {
      move(from, to);
    } catch (IOException e) {
      if (isReplaced) {
        move(aside, to);
      }
      throw e;
    }
  }

  private static boolean tryRename(FileSystem fileSystem, Path from, Path to) throws IOException {
    try {
      return fileSystem.rename(from, to);
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** Deletes a file or a folder with all in it, if it exists. */
  public void delete(Path path) throws IOException {
    boolean _ = fileSystem(path).delete(path, true);
  }

  /** Creates a folder, and checks that files can be created in it. */
  void createFolder(Path folder) throws IOException {
    FileSystem fileSystem = fileSystem(folder);
    if (fileSystem.exists(folder) && !fileSystem.getFileStatus(folder).isDirectory()) {
      throw new JobFailedException("not a directory: " + folder);
    }
    try {
      if (!fileSystem.mkdirs(folder)) {
        throw new JobFailedException("cannot be created: " + folder);
      }
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      throw new JobFailedException("cannot be created: " + folder, e);
    }
  }
}
