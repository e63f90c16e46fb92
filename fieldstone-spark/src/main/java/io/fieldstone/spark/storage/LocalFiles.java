package io.fieldstone.spark.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The files of this machine, with the permissions that the process gives new ones. Without its own
 * native library, Hadoop starts a process {@code chmod} for each file and folder that it creates.
 * There are no files {@code .NAME.crc}, which other programs do not know.
 */
final class LocalFiles extends RawLocalFileSystem {

  /**
   * File systems of one machine, and some that keep the caches of several coherent. NFS does not: a
   * client may write the whole page around some bytes, and with it old bytes of another client.
   */
  private static final Set<String> COHERENT =
      Set.of(
          "apfs", "btrfs", "ceph", "ext2", "ext3", "ext4", "gpfs", "lustre", "overlay", "tmpfs",
          "xfs", "zfs");

  /** Returns the file system {@code file:}. */
  static LocalFiles open(Configuration configuration) throws IOException {
    LocalFiles files = new LocalFiles();
    files.initialize(URI.create("file:///"), configuration);
    return files;
  }

  /** Returns the path of a file. */
  java.nio.file.Path path(Path file) {
    return pathToFile(file).toPath();
  }

  /** Returns true if processes may write a file in a folder at once, at positions of their own. */
  boolean isCoherent(Path folder) throws IOException {
    return COHERENT.contains(Files.getFileStore(path(folder)).type());
  }

  /** Joins by copying, so that this is work for a task. */
  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return !capability.equals(CommonPathCapabilities.FS_CONCAT)
        && super.hasPathCapability(path, capability);
  }

  @Override
  public void setPermission(Path path, FsPermission permission) {
    // The umask of this process is in force already.
  }
}
