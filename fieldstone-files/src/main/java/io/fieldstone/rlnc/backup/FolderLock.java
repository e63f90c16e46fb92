package io.fieldstone.rlnc.backup;

import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The right to write the volumes of a folder, which one command has at a time. A killed process
 * leaves its file, which the next one takes over. A folder that cannot be written has no lock.
 */
final class FolderLock implements AutoCloseable {

  /** The maximum length of a file, so that two rarely have the same. */
  private static final long MAX_LENGTH = 1 << 16;

  private final Path file;
  private final Optional<FileChannel> channel;

  private FolderLock(Path file, Optional<FileChannel> channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a folder.
   *
   * @throws FileSystemException if another command writes to it now
   */
  static FolderLock of(Path folder) throws IOException {
    Path file = folder.resolve(".fieldstone-parity.lock");
    if (!Files.isWritable(folder)) {
      return new FolderLock(file, Optional.empty());
    }
    while (true) {
      FileChannel channel;
      try {
        channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
      } catch (IOException _) {
        return new FolderLock(file, Optional.empty());
      }
      if (!OpenFile.tryLock(channel)) {
        channel.close();
        throw new FileSystemException(
            folder.toString(), null, "another command writes to this folder now; wait for its end");
      }
      // The command before may have deleted the file before it was locked here, and a third one may
      // have made another, so the file must be the one that is open here.
      boolean isHeld = false;
      try {
        isHeld = isAt(file, channel);
      } finally {
        if (!isHeld) {
          channel.close();
        }
      }
      if (isHeld) {
        return new FolderLock(file, Optional.of(channel));
      }
    }
  }

  /**
   * Returns true if a file that is open and locked is the one at a path. Its length is drawn and
   * then asked for by its path. To open it once more would end the lock: POSIX locks end with the
   * first channel of a file that a process closes.
   */
  private static boolean isAt(Path file, FileChannel channel) throws IOException {
    long length = 1 + ThreadLocalRandom.current().nextLong(MAX_LENGTH);
    try {
      channel.truncate(0).write(ByteBuffer.allocate(1), length - 1);
    } catch (IOException _) {
      return Files.exists(file); // The disk is full.
    }
    try {
      return Files.size(file) == length;
    } catch (NoSuchFileException _) {
      return false;
    }
  }

  /** Ends the lock. A file that cannot be deleted stays, and the next command takes it over. */
  @Override
  public void close() {
    if (channel.isPresent()) {
      try (FileChannel _ = channel.get()) {
        Files.deleteIfExists(file);
      } catch (IOException _) {
        // The volumes are complete all the same.
      }
    }
  }
}
