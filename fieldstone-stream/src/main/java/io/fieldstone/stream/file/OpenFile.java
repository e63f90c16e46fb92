package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * A file that is read and written at positions, and whose exceptions name it. Reading a truncated
 * file gives an exception, where a mapped file could crash the JVM.
 *
 * <p>Reading and writing at positions is thread-safe; appending is for one thread.
 */
public final class OpenFile implements PositionedInput {

  /** The maximum bytes of a transfer: a byte buffer has at most 2^31 − 1 bytes. */
  private static final long MAX_TRANSFER_BYTES = 1L << 30;

  /** The bytes of zeros that are worth a hole: fewer would cut files into many pieces. */
  private static final int HOLE_BYTES = 1 << 16;

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[HOLE_BYTES]).asReadOnly();

  private static final OpenOption[] CREATING = {
    StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW
  };
  private static final OpenOption[] RESUMING = {
    StandardOpenOption.READ,
    StandardOpenOption.WRITE,
    StandardOpenOption.CREATE,
    LinkOption.NOFOLLOW_LINKS
  };
  private static final OpenOption[] UPDATING = {
    StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS
  };
  private static final Set<PosixFilePermission> FOR_OWNER =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path name;
  private final FileChannel channel;

  /** The path of a new file. */
  private final Optional<Path> created;

  private OpenFile(Path name, FileChannel channel) {
    this(name, channel, Optional.empty());
  }

  private OpenFile(Path name, FileChannel channel, Optional<Path> created) {
    this.name = name;
    this.channel = channel;
    this.created = created;
  }

  /** Opens an existing file for reading. */
  public static OpenFile read(Path path) throws IOException {
    return new OpenFile(path, open(path, path, false, StandardOpenOption.READ));
  }

  /** Creates a file for appending; an existing one loses its bytes. */
  public static OpenFile overwrite(Path path) throws IOException {
    return new OpenFile(
        path,
        open(
            path,
            path,
            false,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING));
  }

  /**
   * Opens an existing file, no link, for reading and writing in place. For files of which intact
   * parts must stay; {@link Temporaries} replaces others.
   */
  public static OpenFile update(Path path) throws IOException {
    return new OpenFile(path, open(path, path, false, UPDATING));
  }

  /** Opens or creates a file that others write too, each at positions of its own. */
  public static OpenFile share(Path path) throws IOException {
    return new OpenFile(
        path, open(path, path, false, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
  }

  /**
   * Creates the file {@code path}, which must not exist; exceptions name {@code target}.
   *
   * @param isPrivate true if it is for its owner only, false for default permissions
   */
  static OpenFile create(Path path, Path target, boolean isPrivate) throws IOException {
    return new OpenFile(target, open(path, target, isPrivate, CREATING), Optional.of(path));
  }

  /** Decides whether an existing file may be written. */
  @FunctionalInterface
  interface Check {
    void require(Path file) throws IOException;
  }

  /**
   * Opens or creates a file that a later process may continue, and locks it; exceptions name {@code
   * name}.
   *
   * @param isPrivate true if a new file is for its owner only
   * @param check refuses a file that is there; called before it is opened, and again after that
   * @throws FileSystemException if another process has locked it
   */
  static OpenFile resume(Path path, Path name, boolean isPrivate, Check check) throws IOException {
    while (true) {
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        check.require(path);
      }
      FileChannel channel = open(path, name, isPrivate, RESUMING);
      try {
        if (!tryLock(channel)) {
          throw new FileSystemException(name.toString(), null, "is in use by another process");
        }
        // Another process may have moved it into place before it was locked here.
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
          check.require(path);
          return new OpenFile(name, channel);
        }
        channel.close();
      } catch (IOException e) {
        channel.close();
        throw FileErrors.of(name, e);
      }
    }
  }

  /**
   * Locks a file until its channel is closed.
   *
   * @param channel of the file, open for writing
   * @return false if another process, or another channel of this one, holds the lock; true if the
   *     file is locked now, or its file system has no locks
   */
  public static boolean tryLock(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  /**
   * Creates a file without a name in a directory, readable and writable only by its owner. It
   * disappears when it is closed or the process ends. Exceptions name the directory.
   */
  public static OpenFile scratch(Path directory) throws IOException {
    FileChannel channel =
        open(
            OutputDirectory.anyName(directory),
            directory,
            true,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.DELETE_ON_CLOSE);
    return new OpenFile(directory, channel);
  }

  private static FileChannel open(Path path, Path name, boolean isPrivate, OpenOption... options)
      throws IOException {
    try {
      return isPrivate ? openPrivately(path, options) : FileChannel.open(path, options);
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /** Creates a file that only its owner may access, where file systems have owners. */
  public static FileChannel openPrivately(Path path, OpenOption... options) throws IOException {
    boolean hasPermissions = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        hasPermissions
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FOR_OWNER)}
            : new FileAttribute<?>[0];
    return FileChannel.open(path, Set.of(options), attributes);
  }

  /** Returns the name of the file in exceptions. */
  @Override
  public Path name() {
    return name;
  }

  /**
   * Checks that this file ends at the size that its system states. Files of {@code /proc} have
   * content and the size 0.
   *
   * @throws FileSystemException if it has more bytes
   */
  public void requireEnd(long size) throws IOException {
    if (read(MemorySegment.ofArray(new byte[1]), size) > 0) {
      throw new FileSystemException(
          name.toString(), null, "has more bytes than its size, which is %d".formatted(size));
    }
  }

  /** Returns the size in bytes. */
  @Override
  public long size() throws IOException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /**
   * Reads from {@code position} on until {@code destination} is full or the file ends.
   *
   * @return the number of bytes read; less than the destination's size only at the end of the file
   */
  @Override
  public long read(MemorySegment destination, long position) throws IOException {
    long done = 0;
    while (done < destination.byteSize()) {
      int read = read(piece(destination, done), position + done);
      if (read < 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  private int read(ByteBuffer piece, long position) throws IOException {
    try {
      return channel.read(piece, position);
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /** Writes all of {@code source} at {@code position}. */
  public void write(MemorySegment source, long position) throws IOException {
    try {
      for (long done = 0; done < source.byteSize(); ) {
        done += channel.write(piece(source, done), position + done);
      }
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /**
   * Writes bytes where the file has none yet, as a new file. Runs of zeros are left out, and become
   * holes if the file system has them. The file may then be shorter: {@link #extend} gives it its
   * length.
   *
   * @param source any bytes; pieces of 64 KiB, at multiples of that, that are zeros are left out
   */
  public void writeSparsely(MemorySegment source, long position) throws IOException {
    long size = source.byteSize();
    long pending = 0;
    for (long from = 0; from < size; ) {
      long bytes = Math.min(size - from, HOLE_BYTES - (position + from) % HOLE_BYTES);
      if (isZero(source.asSlice(from, bytes))) {
        write(source.asSlice(pending, from - pending), position + pending);
        pending = from + bytes;
      }
      from += bytes;
    }
    write(source.asSlice(pending), position + pending);
  }

  private static boolean isZero(MemorySegment bytes) {
    return bytes.mismatch(ZEROS.asSlice(0, bytes.byteSize())) < 0;
  }

  /** Lengthens the file with zeros, if it is shorter. */
  public void extend(long bytes) throws IOException {
    if (size() < bytes) {
      write(ZEROS.asSlice(0, 1), bytes - 1);
    }
  }

  /**
   * Reserves space for bytes at a position, so that several threads write them faster. New bytes
   * are zero. Has no effect on a file that {@link Temporaries} did not create, or if the system,
   * the file system or the disk cannot do that.
   *
   * @return true if the space is reserved
   */
  public boolean reserve(long position, long bytes) {
    return created.isPresent()
        && channel.isOpen()
        && DiskSpace.reserve(created.get(), position, bytes);
  }

  /** Cuts the file off, if it is longer. */
  public void truncate(long bytes) throws IOException {
    try {
      channel.truncate(bytes);
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /** Writes all of the buffers after previously appended bytes. */
  public void append(ByteBuffer[] buffers) throws IOException {
    try {
      for (int first = 0; first < buffers.length; ) {
        channel.write(buffers, first, buffers.length - first);
        while (first < buffers.length && !buffers[first].hasRemaining()) {
          first++;
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  /** Forces all written bytes to the disk. */
  public void force() throws IOException {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (IOException e) {
      throw FileErrors.of(name, e);
    }
  }

  private static ByteBuffer piece(MemorySegment segment, long from) {
    long bytes = Math.min(MAX_TRANSFER_BYTES, segment.byteSize() - from);
    return segment.asSlice(from, bytes).asByteBuffer();
  }
}
