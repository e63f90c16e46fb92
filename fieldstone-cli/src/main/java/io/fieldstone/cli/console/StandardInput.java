package io.fieldstone.cli.console;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Names standard input in the messages of read errors. */
public final class StandardInput extends FilterInputStream {

  public StandardInput(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw named(e);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return in.read(bytes, offset, length);
    } catch (IOException e) {
      throw named(e);
    }
  }

  /** Returns a read error whose message names standard input. */
  public static IOException named(IOException e) {
    return new IOException("standard input: " + e.getMessage(), e);
  }
}
