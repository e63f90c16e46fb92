package io.fieldstone.spark;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The files of this machine under {@code copying:}, which are neither joined nor shared. */
public final class CopyingFileSystem extends RawLocalFileSystem {

  @Override
  public String getScheme() {
    return "copying";
  }

  @Override
  public URI getUri() {
    return URI.create("copying:///");
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) {
    return false;
  }
}
