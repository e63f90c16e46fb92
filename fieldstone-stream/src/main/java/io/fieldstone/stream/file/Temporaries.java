package io.fieldstone.stream.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outputs of a job, which appear completely or not. A file is written under a temporary name
 * next to its target; {@link #commit} forces it to the disk and moves it into place.
 *
 * {@snippet :
 * try (Temporaries temporaries = new Temporaries()) {
 *   OpenFile file = temporaries.create(target);
 *   file.write(bytes, 0);
 *   temporaries.commit();
 * }
 * }
 *
 * <ul>
 *   <li><b>Atomic.</b> A name refers to the old or the new file at every moment, also after a crash
 *       of the process or the system. Files committed together are all old after a failure. After a
 *       crash, they are all old once a job makes temporaries in their directory, or calls {@link
 *       #recover}. If links lead to several directories, this holds for each.
 *   <li><b>Durable.</b> When {@code commit} returns, the files and their names are on the disk, if
 *       the file system can force directories.
 *   <li><b>Clean.</b> Without a commit, temporary files are deleted on close and on JVM shutdown.
 *       Those of a killed process are deleted by the next job in their directory.
 *   <li><b>Same metadata.</b> The new file has the mode, owner and group of the old one. If they
 *       cannot be kept, or the old file is read-only, creation fails. A symbolic link is kept, and
 *       the file that it refers to is replaced. Other hard links keep the old content, which is
 *       logged as a warning. Access control lists and extended attributes are not kept. A file
 *       without predecessor gets default permissions.
 *   <li><b>Devices, FIFOs and open descriptors</b> ({@code /dev/stdout}) are not replaced: {@code
 *       commit} writes to them from an unnamed temporary file.
 * </ul>
 *
 * <p>For one thread; the shutdown hook that deletes temporary files may run at any time.
 */
public final class Temporaries implements AutoCloseable {

  private static final int COPY_BYTES = 1 << 20;

  /**
   * A file to be moved into place.
   *
   * @param metadata what it gets of the file that it replaces
   */
  private record FileEntry(
      Target.File target,
      Path temporary,
      OpenFile file,
      Optional<FileMetadata> metadata,
      boolean mayReplace,
      boolean isPart) {

    void applyMetadata() throws IOException {
      if (metadata.isPresent()) {
        metadata.get().applyTo(temporary, target.name());
      }
    }
  }

  /** Opens a stream, or returns one that is open. */
  @FunctionalInterface
  private interface Opening {
    OutputStream open() throws IOException;
  }

  private record StreamEntry(OpenFile file, Path directory, Opening stream, String name) {}

  private final Map<Path, OutputDirectory> directories = new LinkedHashMap<>();
  private final List<Path> madeDirectories = new ArrayList<>();
  private final List<FileEntry> files = new ArrayList<>();
  private final List<Path> removals = new ArrayList<>();
  private final List<StreamEntry> streams = new ArrayList<>();
  private final Map<OpenFile, SavedMetadata> stamps = new LinkedHashMap<>();
  private final Thread hook = new Thread(this::abandon, "fieldstone-temporaries");
  private boolean abandoned;

  /** Creates an instance without files, and registers the shutdown hook. */
  public Temporaries() {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      abandoned = true;
    }
  }

  /**
   * Returns the directory of the temporary file of a target: the target's own, or that for
   * temporary files if the target is a device, a FIFO or an open descriptor.
   *
   * @throws IOException if the target can neither be replaced nor written to
   */
  public static Path directoryOf(Path target) throws IOException {
    return Target.of(target).directory();
  }

  /** Returns true if a name refers to standard output, as {@code /dev/stdout} does. */
  public static boolean isStandardOutput(Path target) {
    try {
      return Target.of(target) instanceof Target.Stream stream && stream.isStandardOutput();
    } catch (IOException _) {
      return false;
    }
  }

  /** Returns true if a target is a device, a FIFO or an open descriptor, which is written to. */
  public static boolean isStream(Path target) {
    try {
      return Target.of(target) instanceof Target.Stream;
    } catch (IOException _) {
      return false;
    }
  }

  /**
   * Opens a target that is written to, for bytes in order without a temporary file. Opening a FIFO
   * waits for a reader.
   *
   * @return empty if the target is a file, which is replaced
   * @throws IOException if the target can neither be replaced nor written to
   */
  public static Optional<OutputStream> openStream(Path target) throws IOException {
    return Target.of(target) instanceof Target.Stream stream
        ? Optional.of(stream.open())
        : Optional.empty();
  }

  /**
   * Checks that a target can be replaced or written to; useful before a long job.
   *
   * @throws IOException if it cannot; the message gives the reason
   */
  public static void requireWritable(Path target) throws IOException {
    if (Target.of(target) instanceof Target.File) {
      try (Temporaries trial = new Temporaries()) {
        trial.create(target).close();
      }
    }
  }

  /**
   * Checks that files can be made in a directory.
   *
   * @throws IOException if not; the message gives the reason
   */
  public static void requireWritableDirectory(Path directory) throws IOException {
    Target.requireWritable(directory, directory);
  }

  /**
   * Checks that a directory has space for an output.
   *
   * @param directory the directory of the temporary files
   * @param bytes the total bytes
   * @throws IOException if there is not enough space
   */
  public static void requireSpace(Path directory, long bytes) throws IOException {
    SpaceNeeds needs = new SpaceNeeds();
    needs.add(directory, bytes);
    needs.require();
  }

  /** Returns true if a file has the name of a temporary file or of a journal. */
  public static boolean isTemporary(Path file) {
    return String.valueOf(file.getFileName()).startsWith(OutputDirectory.PREFIX);
  }

  /**
   * Checks that the file systems of the temporary files have space for the output.
   *
   * @param bytes the bytes of each file created so far; {@link SpaceNeeds} is for unequal sizes
   * @throws IOException if there is not enough space
   */
  public synchronized void requireSpaceOfEach(long bytes) throws IOException {
    SpaceNeeds needs = new SpaceNeeds();
    for (FileEntry entry : files) {
      needs.add(entry.target.directory(), bytes);
    }
    for (StreamEntry entry : streams) {
      needs.add(entry.directory, bytes);
    }
    needs.require();
  }

  /**
   * Restores the files that a dead process was replacing together in a directory, and deletes its
   * temporary files. Has no effect without leftovers, or in a read-only directory.
   */
  public static void recover(Path directory) {
    OutputDirectory.recover(directory);
  }

  /**
   * Creates a temporary file that becomes {@code target}, and replaces an existing file.
   *
   * @throws IOException if it cannot be created, or the owner and group of the old file cannot be
   *     kept
   */
  public OpenFile create(Path target) throws IOException {
    return create(target, true, false);
  }

  /**
   * Creates a temporary file that becomes {@code target}, which only its owner may read and write,
   * also if an existing file has another mode.
   *
   * @param mayReplace whether {@code target} may exist
   * @throws FileAlreadyExistsException if it exists and must not; {@link #commit} checks again
   */
  public OpenFile createPrivate(Path target, boolean mayReplace) throws IOException {
    return create(target, mayReplace, true);
  }

  /**
   * Creates a temporary file that becomes {@code target}.
   *
   * @param mayReplace whether an existing file is replaced
   * @throws FileAlreadyExistsException if the file exists and must not be replaced; {@link #commit}
   *     checks again
   * @throws IOException as {@link #create(Path)}
   */
  public OpenFile create(Path target, boolean mayReplace) throws IOException {
    return create(target, mayReplace, false);
  }

  /**
   * Creates an unnamed temporary file, which {@link #commit} writes to a stream.
   *
   * @param stream flushed by {@code commit}, not closed
   * @param name the name of the stream in exceptions
   */
  public OpenFile create(OutputStream stream, String name) throws IOException {
    Path directory = Path.of(System.getProperty("java.io.tmpdir"));
    return add(() -> new UnclosedStream(stream), name, directory);
  }

  private OpenFile create(Path name, boolean mayReplace, boolean isPrivate) throws IOException {
    return switch (Target.of(name)) {
      case Target.Stream stream -> add(stream::open, name.toString(), stream.directory());
      case Target.File file -> create(name, file.directory(), mayReplace, isPrivate);
    };
  }

  private synchronized OpenFile add(Opening stream, String name, Path directory)
      throws IOException {
    requireNotAbandoned();
    OpenFile scratch = OpenFile.scratch(directory);
    streams.add(new StreamEntry(scratch, directory, stream, name));
    return scratch;
  }

  private synchronized OpenFile create(
      Path name, Path parent, boolean mayReplace, boolean isPrivate) throws IOException {
    requireNotAbandoned();
    OutputDirectory directory = open(parent);
    // After opening the directory, which may have restored an old file.
    if (!(Target.of(name) instanceof Target.File target) || !target.directory().equals(parent)) {
      throw new FileSystemException(name.toString(), null, "is being replaced by another process");
    }
    if (target.exists() && !mayReplace) {
      throw new FileAlreadyExistsException(name.toString());
    }
    for (FileEntry other : files) {
      if (other.target.path().equals(target.path())) {
        throw new FileSystemException(
            name.toString(), null, "is the same file as " + other.target.name());
      }
    }
    Path temporary = directory.newName();
    OpenFile file = OpenFile.create(temporary, name, isPrivate || target.metadata().isPresent());
    Optional<FileMetadata> metadata = isPrivate ? Optional.empty() : target.metadata();
    FileEntry entry = new FileEntry(target, temporary, file, metadata, mayReplace, false);
    files.add(entry);
    entry.applyMetadata();
    return file;
  }

  /**
   * Opens or creates a part file that becomes {@code target}, and replaces an existing file. The
   * part file is locked, and stays if there is no commit, so that a later job can continue it. No
   * other file may be committed together with it.
   *
   * @param part the part file, in the directory of the target
   * @throws FileSystemException if another process continues the same part file, or the part file
   *     is not of this user alone: another owner, hard links, no regular file
   */
  public synchronized OpenFile resume(Path part, Path target) throws IOException {
    requireNotAbandoned();
    if (!(Target.of(target) instanceof Target.File file)
        || !file.directory().equals(OutputDirectory.of(part).toRealPath())) {
      throw new FileSystemException(target.toString(), null, "is not a file beside " + part);
    }
    OutputDirectory directory = open(file.directory());
    Path real = file.directory().resolve(String.valueOf(part.getFileName()));
    OpenFile opened =
        OpenFile.resume(
            real,
            part,
            file.metadata().isPresent(),
            existing -> directory.requireOwn(existing, part, file.metadata()));
    FileEntry entry = new FileEntry(file, real, opened, file.metadata(), true, true);
    files.add(entry);
    entry.applyMetadata();
    return opened;
  }

  /**
   * Gives a created file a mode and a time of modification when it is committed, in place of those
   * of a file that it replaces. Devices, FIFOs and descriptors keep theirs.
   */
  public synchronized void stamp(OpenFile file, SavedMetadata stamp) {
    stamps.put(file, stamp);
  }

  /** Removes a file, or a symbolic link, as part of the commit. */
  public synchronized void remove(Path file) throws IOException {
    requireNotAbandoned();
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    Path directory = OutputDirectory.of(file).toRealPath();
    open(directory);
    removals.add(directory.resolve(String.valueOf(file.getFileName())));
  }

  /**
   * Creates a directory and its missing parents; they are removed if there is no commit. In an
   * existing directory, leftovers of dead processes are removed.
   */
  public synchronized void createDirectories(Path directory) throws IOException {
    requireNotAbandoned();
    Deque<Path> missing = new ArrayDeque<>();
    Path at = directory.toAbsolutePath();
    for (; !Files.exists(at); at = OutputDirectory.of(at)) {
      missing.push(at);
    }
    if (!Files.isDirectory(at)) {
      throw new NotDirectoryException(at.toString());
    }
    for (Path one : missing) {
      Files.createDirectory(one);
      madeDirectories.add(one);
    }
    open(directory.toRealPath());
  }

  private OutputDirectory open(Path directory) throws IOException {
    OutputDirectory opened = directories.get(directory);
    if (opened == null) {
      opened = OutputDirectory.open(directory);
      directories.put(directory, opened);
    }
    return opened;
  }

  /**
   * Forces every file to the disk and moves it into place, then writes to devices, FIFOs and
   * descriptors. After an exception, no file has been replaced unless its message says so.
   */
  public void commit() throws IOException {
    for (FileEntry entry : snapshot(files)) {
      entry.applyMetadata(); // again: writing clears set-user-ID
      Optional.ofNullable(stamps.get(entry.file))
          .ifPresent(stamp -> stamp.applyTo(entry.temporary, entry.target.name()));
      entry.file.force();
    }
    place();
    for (StreamEntry entry : snapshot(streams)) {
      copy(entry);
    }
  }

  private synchronized <T> List<T> snapshot(List<T> entries) {
    return List.copyOf(entries);
  }

  private synchronized void place() throws IOException {
    requireNotAbandoned();
    for (FileEntry entry : files) {
      if (!entry.mayReplace && Files.exists(entry.target.path(), LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(entry.target.name().toString());
      }
      if (!entry.isPart) {
        entry.file.close();
      }
    }
    if (files.size() == 1 && removals.isEmpty()) {
      placeOne(files.getFirst());
      // The lock of a part file lasts until it has its new name.
      files.getFirst().file.close();
    } else {
      placeTogether();
    }
    for (FileEntry entry : files) {
      warnOfLinks(entry.target);
    }
    madeDirectories.clear();
    files.clear();
    removals.clear();
    try {
      closeDirectories();
    } catch (IOException e) {
      logger().log(Level.WARNING, "cannot delete a temporary file: {0}", e.getMessage());
    }
  }

  /** Moves a single file into place, which is atomic without a journal. */
  private void placeOne(FileEntry entry) throws IOException {
    OutputDirectory directory = open(entry.target.directory());
    directory.apply(Replacement.of(entry.temporary, entry.target.path(), Optional.empty()));
    try {
      directory.force();
      forceMadeDirectories(directory);
    } catch (IOException e) {
      throw inPlace(entry.target.name(), e);
    }
  }

  private static IOException inPlace(Path name, IOException e) {
    return failed(name, "is in place, but perhaps not on the disk (%s)", e);
  }

  private static IOException failed(Path name, String state, IOException e) {
    FileSystemException named =
        new FileSystemException(name.toString(), null, state.formatted(e.getMessage()));
    named.initCause(e);
    return named;
  }

  private void placeTogether() throws IOException {
    Map<OutputDirectory, List<Replacement>> all = replacements();
    for (var one : all.entrySet()) {
      one.getKey().prepare(one.getValue());
    }
    try {
      for (var one : all.entrySet()) {
        for (Replacement replacement : one.getValue()) {
          one.getKey().apply(replacement);
        }
        one.getKey().force();
        forceMadeDirectories(one.getKey());
      }
    } catch (IOException e) {
      for (var one : all.entrySet()) {
        try {
          one.getKey().undo(one.getValue());
        } catch (IOException failure) {
          failure.addSuppressed(e);
          throw failed(
              one.getKey().path(),
              "has old and new files (%s); the next command there restores the old ones",
              failure);
        }
      }
      throw e;
    }
    for (OutputDirectory directory : all.keySet()) {
      try {
        directory.finish();
      } catch (IOException e) {
        throw inPlace(directory.path(), e);
      }
    }
  }

  private Map<OutputDirectory, List<Replacement>> replacements() throws IOException {
    Map<OutputDirectory, List<Replacement>> all = new LinkedHashMap<>();
    for (FileEntry entry : files) {
      Path target = entry.target.path();
      OutputDirectory directory = open(entry.target.directory());
      boolean exists = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
      all.computeIfAbsent(directory, _ -> new ArrayList<>())
          .add(
              Replacement.of(
                  entry.temporary,
                  target,
                  exists ? Optional.of(directory.newName()) : Optional.empty()));
    }
    for (Path target : removals) {
      OutputDirectory directory = open(OutputDirectory.of(target));
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        all.computeIfAbsent(directory, _ -> new ArrayList<>())
            .add(Replacement.removing(target, directory.newName()));
      }
    }
    return all;
  }

  private void forceMadeDirectories(OutputDirectory directory) throws IOException {
    for (Path made : madeDirectories) {
      directory.force(OutputDirectory.of(made));
    }
  }

  /** The JVM configures logging for the first logger, which takes longer than a small job. */
  private static Logger logger() {
    return System.getLogger(Temporaries.class.getName());
  }

  private static void warnOfLinks(Target.File target) {
    int links = target.metadata().map(FileMetadata::links).orElse(1);
    if (links > 1) {
      logger()
          .log(
              Level.WARNING,
              "{0} was one of {1} hard links to a file; the others keep the old content",
              target.name(),
              links);
    }
  }

  /**
   * Writes to a stream. A FIFO is opened only now, and once: a reader ends when it is closed, and
   * there may be no other.
   */
  private static void copy(StreamEntry entry) throws IOException {
    try (OutputStream stream = entry.stream.open()) {
      byte[] buffer = new byte[COPY_BYTES];
      MemorySegment memory = MemorySegment.ofArray(buffer);
      long position = 0;
      for (int read = 1; read > 0; position += read) {
        read = (int) entry.file.read(memory, position);
        write(entry, stream, buffer, read);
      }
    }
  }

  private static void write(StreamEntry entry, OutputStream stream, byte[] bytes, int length)
      throws IOException {
    try {
      stream.write(bytes, 0, length);
      stream.flush();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(entry.name + ": " + e.getMessage(), e);
    }
  }

  /** Deletes the files that were not committed. */
  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // During shutdown, the hook deletes the same files.
    }
    delete();
  }

  private void abandon() {
    synchronized (this) {
      abandoned = true;
    }
    try {
      delete();
    } catch (IOException e) {
      // Loggers are being shut down too.
      String reason = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
      System.err.println("fieldstone: cannot delete a temporary file: " + reason);
    }
  }

  private synchronized void delete() throws IOException {
    List<Closeable> all = new ArrayList<>();
    files.forEach(entry -> all.add(entry.file));
    streams.forEach(entry -> all.add(entry.file));
    files.clear();
    removals.clear();
    streams.clear();
    try {
      closeAll(all);
    } finally {
      closeDirectories();
    }
  }

  /** Closes the directories, and removes those created for files that were not committed. */
  private void closeDirectories() throws IOException {
    List<Closeable> all = new ArrayList<>(directories.values());
    directories.clear();
    try {
      closeAll(all);
    } finally {
      for (Path made : madeDirectories.reversed()) {
        removeIfEmpty(made);
      }
      madeDirectories.clear();
    }
  }

  private static void closeAll(List<Closeable> all) throws IOException {
    IOException failure = null;
    for (Closeable one : all) {
      try {
        one.close();
      } catch (IOException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void removeIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException _) {
      // Another process has begun to use it.
    }
  }

  private void requireNotAbandoned() throws IOException {
    if (abandoned) {
      throw new InterruptedIOException("interrupted");
    }
  }
}
