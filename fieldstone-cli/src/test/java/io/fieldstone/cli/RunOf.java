package io.fieldstone.cli;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The exit status and output of a command that ran in this JVM. */
public record RunOf(int status, String out, String err) {

  /** Runs a command with empty standard input. */
  public static RunOf fieldstone(String... arguments) {
    return reading(InputStream.nullInputStream(), arguments);
  }

  /** Runs a command with a standard input. */
  public static RunOf reading(InputStream in, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams =
        new Streams(
            in,
            out,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Tty.NONE);
    int status = Main.run(streams, arguments);
    return new RunOf(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
