package io.fieldstone.stream.file;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory in which a job makes temporary files, {@code .fieldstone-TOKEN-N.tmp}. A journal next
 * to them, {@code .fieldstone-TOKEN.journal}, is locked by the process. The next job in the
 * directory locks the journals of dead processes and deletes their files. If such a journal lists
 * files that were being replaced together, their old content is restored first.
 *
 * <p>For one thread.
 */
final class OutputDirectory implements Closeable {

  static final String PREFIX = ".fieldstone-";
  private static final Pattern NAME =
      Pattern.compile("\\.fieldstone-([0-9a-f]{16})(-[0-9]+)?\\.(tmp|journal)");

  /**
   * The tokens of this JVM. Opening and closing one of their journals would release this process's
   * lock on it (fcntl(2)). Locked while leftovers are removed.
   */
  private static final Set<String> OWN_TOKENS = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final boolean canForce;
  private final String token;
  private final Path journal;
  private final FileChannel locked;
  private final List<Path> made = new ArrayList<>();
  private boolean isLeft;

  private OutputDirectory(
      Path directory, boolean canForce, String token, Path journal, FileChannel locked) {
    this.directory = directory;
    this.canForce = canForce;
    this.token = token;
    this.journal = journal;
    this.locked = locked;
  }

  /** Returns the directory of a file. */
  static Path of(Path file) {
    Path absolute = file.toAbsolutePath();
    return Optional.ofNullable(absolute.getParent()).orElse(absolute);
  }

  /** Returns a name for a new temporary file, which the caller deletes. */
  static Path anyName(Path directory) {
    return directory.resolve(PREFIX + newToken() + ".tmp");
  }

  private static String newToken() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  /** Creates a journal in a directory, and removes leftovers of dead processes. */
  static OutputDirectory open(Path directory) throws IOException {
    OutputDirectory opened = lock(directory);
    try {
      synchronized (OWN_TOKENS) {
        opened.removeLeftovers();
      }
      return opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Removes leftovers of dead processes in a directory, and restores the files that they were
   * replacing. Has no effect without leftovers, or in a read-only directory.
   */
  static void recover(Path directory) {
    try {
      if (Files.isWritable(directory) && hasJournal(directory)) {
        open(directory).close();
      }
    } catch (IOException e) {
      warn(directory, e);
    }
  }

  private static boolean hasJournal(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*.journal")) {
      return files.iterator().hasNext();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static OutputDirectory lock(Path directory) throws IOException {
    boolean canForce = canForce(directory);
    while (true) {
      String token = newToken();
      OWN_TOKENS.add(token);
      OutputDirectory locked = null;
      try {
        Path journal = directory.resolve(PREFIX + token + ".journal");
        FileChannel channel =
            OpenFile.openPrivately(
                journal, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        locked = new OutputDirectory(directory, canForce, token, journal, channel);
        if (Journal.lock(channel) && Files.exists(journal)) {
          return locked;
        }
        // Another job found the new journal before it was locked.
        locked.close();
      } catch (IOException e) {
        if (locked != null) {
          locked.close();
        }
        OWN_TOKENS.remove(token);
        throw FileErrors.of(directory, e);
      }
    }
  }

  /**
   * Returns true if the file system can force directories to the disk; tested before there are
   * changes to force.
   */
  private static boolean canForce(Path directory) {
    try {
      forceNow(directory);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Forces the names in the directory to the disk, also if the thread is interrupted. */
  void force() throws IOException {
    force(directory);
  }

  /** Forces the names in another directory of the same file system to the disk. */
  void force(Path other) throws IOException {
    if (canForce) {
      try {
        forceNow(other);
      } catch (IOException e) {
        throw FileErrors.of(other, e);
      }
    }
  }

  private static void forceNow(Path directory) throws IOException {
    uninterrupted(directory, StandardOpenOption.READ, channel -> channel.force(true));
  }

  /** An operation on an open file that may be repeated. */
  @FunctionalInterface
  private interface Action {
    void on(FileChannel channel) throws IOException;
  }

  /** Opens a file for an operation, and again whenever an interruption has closed it. */
  private static void uninterrupted(Path file, OpenOption option, Action action)
      throws IOException {
    boolean isInterrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(file, option)) {
          action.on(channel);
          return;
        } catch (ClosedByInterruptException _) {
          isInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the directory. */
  Path path() {
    return directory;
  }

  /** Checks that a part file in the directory is of this user alone. */
  void requireOwn(Path part, Path name, Optional<FileMetadata> replaced) throws IOException {
    FileMetadata.requireOwn(part, name, journal, replaced);
  }

  /** Returns a name for a new file, which {@link #close} deletes if it still exists. */
  Path newName() {
    Path name = directory.resolve("%s%s-%d.tmp".formatted(PREFIX, token, made.size()));
    made.add(name);
    return name;
  }

  /**
   * Prepares replacements, so that {@link #undo} or the next job in this directory can undo them.
   */
  void prepare(List<Replacement> replacements) throws IOException {
    replacements.forEach(replacement -> replacement.keepByLink(directory));
    Journal.write(locked, replacements);
    force();
  }

  /** Replaces or removes a file. */
  void apply(Replacement replacement) throws IOException {
    replacement.apply(directory);
  }

  /** Restores the files that have been replaced or removed since {@link #prepare}. */
  void undo(List<Replacement> replacements) throws IOException {
    try {
      for (Replacement replacement : replacements) {
        replacement.undo(directory);
      }
      force();
    } catch (IOException e) {
      isLeft = true;
      throw e;
    }
  }

  /**
   * Makes replacements final by emptying the journal, which also releases its lock. Another job may
   * then delete the files that {@link #close} deletes.
   */
  void finish() throws IOException {
    uninterrupted(
        journal,
        StandardOpenOption.WRITE,
        channel -> {
          channel.truncate(0);
          channel.force(true);
        });
  }

  private void removeLeftovers() throws IOException {
    Set<String> tokens = new TreeSet<>();
    List<Path> files;
    try {
      files = leftovers(tokens);
    } catch (AccessDeniedException _) {
      return; // a directory that may be written but not listed
    }
    for (String other : tokens) {
      List<Path> own = files.stream().filter(file -> other.equals(tokenOf(file))).toList();
      try {
        removeLeftovers(directory.resolve(PREFIX + other + ".journal"), own);
      } catch (NoSuchFileException _) {
        // Its process has ended since, and removed them.
      } catch (IOException e) {
        warn(directory, e);
      }
    }
  }

  private List<Path> leftovers(Set<String> tokens) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path file : all) {
        String other = tokenOf(file);
        if (!other.isEmpty() && !OWN_TOKENS.contains(other)) {
          tokens.add(other);
          files.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private static String tokenOf(Path file) {
    Matcher matcher = NAME.matcher(String.valueOf(file.getFileName()));
    return matcher.matches() ? matcher.group(1) : "";
  }

  /** Removes the files of a token if its process is dead: the journal is not locked, or missing. */
  private void removeLeftovers(Path otherJournal, List<Path> files) throws IOException {
    if (!Files.exists(otherJournal, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : files) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
            && FileMetadata.haveOneOwner(file, journal)) {
          Files.deleteIfExists(file);
        }
      }
    } else if (Files.isRegularFile(otherJournal, LinkOption.NOFOLLOW_LINKS)
        && FileMetadata.haveOneOwner(otherJournal, journal)) {
      try (FileChannel channel =
          FileChannel.open(
              otherJournal,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS)) {
        if (Journal.lockOfOther(channel) && Files.exists(otherJournal)) {
          for (Replacement replacement : Journal.read(channel)) {
            replacement.undo(directory);
          }
          force();
          // The journal is deleted last: it shows that the other files are this user's.
          for (Path file : files) {
            if (!file.equals(otherJournal)) {
              Files.deleteIfExists(file);
            }
          }
          Files.deleteIfExists(otherJournal);
        }
      }
    }
  }

  private static void warn(Path directory, IOException e) {
    System.getLogger(OutputDirectory.class.getName())
        .log(
            Level.WARNING,
            "cannot remove the leftovers of a killed process in {0}: {1}",
            directory,
            e.getMessage());
  }

  /**
   * Deletes the temporary files and the journal. If a file cannot be deleted, or an {@link #undo}
   * has failed, the journal stays for the next job in this directory.
   */
  @Override
  public void close() throws IOException {
    try (locked) {
      IOException failure = null;
      for (Path file : isLeft ? List.<Path>of() : made) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
      if (!isLeft) {
        Files.deleteIfExists(journal);
      }
    } finally {
      made.clear();
      OWN_TOKENS.remove(token);
    }
  }
}
