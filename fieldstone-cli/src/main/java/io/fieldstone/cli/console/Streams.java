package io.fieldstone.cli.console;

import io.fieldstone.stream.file.FileProblem;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The standard streams of a command.
 *
 * @param in standard input
 * @param data standard output for binary data, unbuffered
 * @param out standard output, as text
 * @param err standard error, as text
 * @param progress whether standard error may show a progress bar
 */
public record Streams(
    InputStream in, OutputStream data, PrintStream out, PrintStream err, Tty progress) {

  private static final int TEXT_BUFFER_BYTES = 8192;

  /** Returns the streams of this process. */
  public static Streams system() {
    OutputStream data = new StandardOutput();
    return new Streams(
        new FileInputStream(FileDescriptor.in),
        data,
        new PrintStream(
            new BufferedOutputStream(data, TEXT_BUFFER_BYTES), false, charset(System.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, charset(System.err)),
        Tty.STANDARD_ERROR);
  }

  /**
   * Checks that all text has been written.
   *
   * @throws Failure if standard output is full or closed
   */
  public void requireWritten() throws Failure {
    if (out.checkError()) {
      throw new Failure(
          data instanceof StandardOutput output ? output.problem : "cannot write",
          "standard output");
    }
  }

  /** Keeps the reason why it cannot be written to, which a print stream does not give. */
  private static final class StandardOutput extends FileOutputStream {
    private volatile String problem = "cannot write";

    private StandardOutput() {
      super(FileDescriptor.out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        super.write(bytes, offset, length);
      } catch (IOException e) {
        problem = FileProblem.lowerFirst(String.valueOf(e.getMessage()));
        throw e;
      }
    }
  }

  /**
   * Forces the printed text to disk if standard output is a file.
   *
   * @throws Failure if standard output is full or closed
   */
  public void forceOut() throws Failure {
    requireWritten();
    if (data instanceof FileOutputStream file) {
      try {
        file.getFD().sync();
      } catch (IOException e) {
        // A pipe or a terminal cannot be synchronized.
      }
    }
  }

  public PrintWriter outWriter() {
    return new PrintWriter(new OutputStreamWriter(out, out.charset()), true);
  }

  public PrintWriter errWriter() {
    return new PrintWriter(new OutputStreamWriter(err, err.charset()), true);
  }

  /** Returns UTF-8 in a C or POSIX locale, because terminals nearly always use it. */
  private static Charset charset(PrintStream system) {
    Charset charset = system.charset();
    return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
  }
}
