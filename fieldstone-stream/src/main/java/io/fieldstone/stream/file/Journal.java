package io.fieldstone.stream.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The journal that a job keeps next to its temporary files, locked by its process. While several
 * files are replaced together, it lists them and ends with a checksum, without which the list is
 * void. Otherwise it is empty.
 */
final class Journal {

  private static final String MAGIC = "fieldstone journal 1";

  /** The maximum size of a journal in bytes. */
  private static final long MAX_BYTES = 1L << 26;

  private Journal() {}

  /**
   * Locks a new journal.
   *
   * @return true if this process holds the lock; another process may have locked it first
   */
  static boolean lock(FileChannel journal) {
    try {
      FileLock lock = journal.tryLock();
      return lock != null;
    } catch (IOException _) {
      // The file system has no locks: no other process can lock this file either.
      return true;
    }
  }

  /**
   * Locks the journal of another process.
   *
   * @return false if that process is alive and holds the lock
   */
  static boolean lockOfOther(FileChannel journal) {
    try {
      FileLock lock = journal.tryLock();
      return lock != null;
    } catch (IOException | OverlappingFileLockException _) {
      return false;
    }
  }

  /** Writes a list and forces it to the disk. */
  static void write(FileChannel journal, List<Replacement> replacements) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeUTF(MAGIC);
    data.writeInt(replacements.size());
    for (Replacement replacement : replacements) {
      replacement.write(data);
    }
    data.writeLong(checksum(bytes.toByteArray(), bytes.size()));
    ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
    while (buffer.hasRemaining()) {
      journal.write(buffer);
    }
    journal.force(true);
  }

  /** Reads a list; empty unless it was written completely. */
  static List<Replacement> read(FileChannel journal) throws IOException {
    long size = journal.size();
    if (size <= Long.BYTES || size > MAX_BYTES) {
      return List.of();
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) size);
    while (buffer.hasRemaining() && journal.read(buffer, buffer.position()) >= 0) {
      // until the end
    }
    int body = (int) size - Long.BYTES;
    if (buffer.getLong(body) != checksum(buffer.array(), body)) {
      return List.of();
    }
    DataInputStream data = new DataInputStream(new ByteArrayInputStream(buffer.array(), 0, body));
    List<Replacement> replacements = new ArrayList<>();
    if (data.readUTF().equals(MAGIC)) {
      for (int left = data.readInt(); left > 0; left--) {
        replacements.add(Replacement.read(data));
      }
    }
    return replacements;
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}
