package io.fieldstone.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.TaskContext;

/**
 * The files of this machine under {@code slow:}. The first attempt of the first task of a stage
 * never opens one, so that only a speculative attempt completes the stage.
 */
public final class SlowFileSystem extends RawLocalFileSystem {

  private static final URI NAME = URI.create("slow:///");

  @Override
  public String getScheme() {
    return "slow";
  }

  @Override
  public URI getUri() {
    return NAME;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    TaskContext task = TaskContext.get();
    if (task != null && task.attemptNumber() == 0 && task.partitionId() == 0) {
      try {
        new CountDownLatch(1).await(); // until the attempt is killed
      } catch (InterruptedException e) {
        throw new InterruptedIOException(path.toString());
      }
    }
    return super.open(path, bufferSize);
  }
}
