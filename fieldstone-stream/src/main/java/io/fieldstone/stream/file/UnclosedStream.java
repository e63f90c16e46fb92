package io.fieldstone.stream.file;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream of which closing has no effect, because it belongs to another. */
final class UnclosedStream extends FilterOutputStream {

  UnclosedStream(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    out.write(bytes, from, count);
  }

  @Override
  public void close() {}
}
