package io.fieldstone.spark;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.TaskContext;

/**
 * The files of this machine under {@code flaky:}. The first attempt of each task fails when it has
 * written and closed a file, or in the last quarter of a file {@code torn}; the second when it
 * opens a file. All fail in the last quarter of a file {@code lost}. Files are joined as HDFS does,
 * and as {@link RawLocalFileSystem} does not.
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
    String name = path.getName();
    boolean isLost = name.equals("lost");
    if (isAttempt(1) && !isLost) {
      throw new IOException("connection reset by " + path);
    }
    FSDataInputStream in = super.open(path, bufferSize);
    return isLost || isAttempt(0) && name.equals("torn")
        ? new FSDataInputStream(new Torn(in, path, getFileStatus(path).getLen() / 4 * 3))
        : in;
  }

  /** A file that cannot be read to its end. */
  private static final class Torn extends FSInputStream {
    private final FSDataInputStream in;
    private final Path path;
    private final long end;

    Torn(FSDataInputStream in, Path path, long end) {
      this.in = in;
      this.path = path;
      this.end = end;
    }

    private void requireBefore(long position) throws IOException {
      if (position > end) {
        throw new IOException("connection reset by " + path);
      }
    }

    @Override
    public int read() throws IOException {
      requireBefore(in.getPos() + 1);
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      requireBefore(in.getPos() + count);
      return in.read(bytes, from, count);
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
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
