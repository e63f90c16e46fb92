package io.fieldstone.stream.file;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The target of an output after links are followed: a file, a device, a FIFO or a descriptor. */
sealed interface Target {

  /** Returns the directory of the temporary file. */
  Path directory();

  /**
   * A regular file, existing or not, which is replaced.
   *
   * @param name the name as given
   * @param path the absolute path with the links of its directory resolved; not a symbolic link
   * @param exists true if the file exists
   * @param metadata the metadata of the file; empty if it does not exist, and on systems other than
   *     Unix
   */
  record File(Path name, Path path, boolean exists, Optional<FileMetadata> metadata)
      implements Target {
    @Override
    public Path directory() {
      return OutputDirectory.of(path);
    }
  }

  /**
   * A device, a FIFO or an open descriptor, which is written to sequentially.
   *
   * @param name the name as given
   * @param path the device, the FIFO, or an entry of a directory of descriptors
   * @param descriptor the number of a descriptor of this process, else −1
   */
  record Stream(Path name, Path path, int descriptor) implements Target {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    @Override
    public Path directory() {
      return Path.of(System.getProperty("java.io.tmpdir"));
    }

    boolean isStandardOutput() {
      return descriptor == STANDARD_OUTPUT;
    }

    /** Returns true if it is already open for writing. */
    boolean isStandard() {
      return descriptor == STANDARD_OUTPUT || descriptor == STANDARD_ERROR;
    }

    /**
     * Opens it. Opening a FIFO waits for a reader. Closing leaves standard output and standard
     * error open.
     */
    OutputStream open() throws IOException {
      return switch (descriptor) {
        case STANDARD_OUTPUT -> new UnclosedStream(new FileOutputStream(FileDescriptor.out));
        case STANDARD_ERROR -> new UnclosedStream(new FileOutputStream(FileDescriptor.err));
        default -> Files.newOutputStream(path, options());
      };
    }

    /**
     * Returns the options: the file of a descriptor is appended to, since opening it begins at its
     * start again, and would overwrite what was written before.
     */
    private OpenOption[] options() {
      return Files.isRegularFile(path)
          ? new OpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.APPEND}
          : new OpenOption[] {StandardOpenOption.WRITE};
    }
  }

  /** The maximum number of links, as in Linux. */
  int MAX_LINKS = 40;

  /**
   * Resolves a name.
   *
   * @throws IOException if it can neither be replaced nor written to; the message gives the reason
   */
  static Target of(Path name) throws IOException {
    Path at = name.toAbsolutePath();
    for (int links = 0; links <= MAX_LINKS; links++) {
      Optional<Stream> descriptor = descriptor(name, at);
      if (descriptor.isPresent()) {
        return descriptor.get().isStandard() ? descriptor.get() : writable(descriptor.get());
      }
      if (!Files.isSymbolicLink(at)) {
        return ofNoLink(name, at);
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    throw new FileSystemException(name.toString(), null, "too many symbolic links");
  }

  private static Target ofNoLink(Path name, Path at) throws IOException {
    if (Files.isDirectory(at)) {
      throw new FileSystemException(name.toString(), null, "is a directory");
    }
    boolean exists = Files.exists(at, LinkOption.NOFOLLOW_LINKS);
    if (exists && !Files.isRegularFile(at)) {
      return writable(new Stream(name, at, -1));
    }
    Path directory = OutputDirectory.of(at);
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(directory.toString(), null, "no such directory");
    }
    requireWritable(directory, directory);
    Path path = directory.toRealPath().resolve(String.valueOf(at.getFileName()));
    if (!exists) {
      return new File(name, path, false, Optional.empty());
    }
    Optional<FileMetadata> metadata = FileMetadata.of(path);
    if (metadata.isPresent() && metadata.get().isReadOnly()) {
      throw new FileSystemException(name.toString(), null, "is read-only");
    }
    requireWritable(path, name);
    return new File(name, path, true, metadata);
  }

  private static Stream writable(Stream stream) throws IOException {
    requireWritable(stream.path, stream.name);
    return stream;
  }

  /**
   * Checks that a file or directory may be written to.
   *
   * @throws IOException if not; the message has the name and the reason
   */
  static void requireWritable(Path path, Path name) throws IOException {
    if (!Files.isWritable(path)) {
      throw Files.getFileStore(path).isReadOnly()
          ? new FileSystemException(name.toString(), null, "read-only file system")
          : new AccessDeniedException(name.toString());
    }
  }

  /**
   * Resolves an entry of /proc/PID/fd or /dev/fd, which resembles a link to a file. Output must go
   * to the open file, not to a new file of its name.
   */
  private static Optional<Stream> descriptor(Path name, Path at) throws IOException {
    Path parent = at.getParent();
    if (parent == null
        || !parent.endsWith("fd")
        || !String.valueOf(at.getFileName()).matches("[0-9]{1,9}")
        || !Files.exists(at)) {
      return Optional.empty();
    }
    Path directory = parent.toRealPath();
    Path processes = Path.of("/proc");
    Path own = processes.resolve("self");
    boolean isOwn =
        directory.equals(Path.of("/dev/fd"))
            || (Files.exists(own) && directory.startsWith(own.toRealPath()));
    if (!isOwn && !directory.startsWith(processes)) {
      return Optional.empty();
    }
    int number = Integer.parseInt(String.valueOf(at.getFileName()));
    return Optional.of(new Stream(name, at, isOwn ? number : -1));
  }
}
