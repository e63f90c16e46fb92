package io.fieldstone.spark;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.TaskContext;

/**
 * The files of this machine under {@code flaky:}. The first attempt of each task fails when it has
 * written and closed a file, or when it opens a file {@code torn}; the second when it opens a file.
 * Files are joined as HDFS does, and as {@link RawLocalFileSystem} does not.
 */
public final class FlakyFileSystem extends RawLocalFileSystem {

  private static final URI NAME = URI.create("flaky:///");

  @Override
  public String getScheme() {
    return "flaky";
  }

  @Override
  public URI getUri() {
    return NAME;
  }

  private static boolean isAttempt(int attempt) {
    TaskContext task = TaskContext.get();
    return task != null && task.attemptNumber() == attempt;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (isAttempt(1) || isAttempt(0) && path.getName().equals("torn")) {
      throw new IOException("connection reset by " + path);
    }
    return super.open(path, bufferSize);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    FSDataOutputStream out =
        super.create(path, overwrite, bufferSize, replication, blockSize, progress);
    boolean fails = isAttempt(0);
    return new FSDataOutputStream(
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
          }

          @Override
          public void close() throws IOException {
            super.close();
            if (fails) {
              throw new IOException("connection reset by " + path);
            }
          }
        },
        null);
  }

  /** {@inheritDoc} As FSDirConcatOp of HDFS: of files in one folder, which are not empty. */
  @Override
  public void concat(Path target, Path[] sources) throws IOException {
    try (OutputStream out = Files.newOutputStream(pathToFile(target).toPath(), APPEND)) {
      for (Path source : sources) {
        if (!source.getParent().equals(target.getParent()) || getFileStatus(source).getLen() == 0) {
          throw new IOException("cannot be joined: " + source);
        }
        Files.copy(pathToFile(source).toPath(), out);
        delete(source, false);
      }
    }
  }
}
