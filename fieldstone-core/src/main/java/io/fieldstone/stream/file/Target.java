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

/** A file, a device, a FIFO or a descriptor: the meaning of an output's name, links followed. */
sealed interface Target {

  /** The directory of the temporary file. */
  Path directory();

  /**
   * A regular file, or none yet: it is replaced.
   *
   * @param name as it was given
   * @param path absolute, its directory's links followed; no symbolic link itself
   * @param exists whether there is such a file
   * @param metadata of the file; empty if there is none, and on systems that are not Unix
   */
  record File(Path name, Path path, boolean exists, Optional<FileMetadata> metadata)
      implements Target {
    @Override
    public Path directory() {
      return OutputDirectory.of(path);
    }
  }

  /**
   * A device, a FIFO or an open descriptor: it is written to, from beginning to end.
   *
   * @param name as it was given
   * @param path the device, the FIFO, or an entry of a directory of descriptors
   * @param descriptor its number if it is one of this process, else −1
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

    /** Whether it is open for writing already. */
    boolean isStandard() {
      return descriptor == STANDARD_OUTPUT || descriptor == STANDARD_ERROR;
    }

    /** Opens it. A FIFO waits for a reader. */
    OutputStream open() throws IOException {
      return switch (descriptor) {
        case STANDARD_OUTPUT -> new FileOutputStream(FileDescriptor.out);
        case STANDARD_ERROR -> new FileOutputStream(FileDescriptor.err);
        default -> Files.newOutputStream(path, options());
      };
    }

    /** A descriptor of a file is opened at its beginning: appending keeps the bytes there. */
    private OpenOption[] options() {
      return Files.isRegularFile(path)
          ? new OpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.APPEND}
          : new OpenOption[] {StandardOpenOption.WRITE};
    }
  }

  /** As many links as Linux follows. */
  int MAX_LINKS = 40;

  /**
   * Looks at a name.
   *
   * @throws IOException if it can neither become a file nor be written to: with the reason
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
    if (!Files.isWritable(directory)) {
      throw new AccessDeniedException(directory.toString());
    }
    Path path = directory.toRealPath().resolve(String.valueOf(at.getFileName()));
    if (!exists) {
      return new File(name, path, false, Optional.empty());
    }
    Optional<FileMetadata> metadata = FileMetadata.of(path);
    if (metadata.isPresent() && metadata.get().isReadOnly()) {
      throw new FileSystemException(name.toString(), null, "is read-only");
    }
    if (!Files.isWritable(path)) {
      throw new AccessDeniedException(name.toString());
    }
    return new File(name, path, true, metadata);
  }

  private static Stream writable(Stream stream) throws IOException {
    if (!Files.isWritable(stream.path)) {
      throw new AccessDeniedException(stream.name.toString());
    }
    return stream;
  }

  /**
   * An entry of /proc/PID/fd or /dev/fd looks like a link to a file. Bytes must go to the open
   * file, not to a new one of the same name.
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
