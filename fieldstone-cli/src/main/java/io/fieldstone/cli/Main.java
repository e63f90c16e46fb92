package io.fieldstone.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code fieldstone} command. */
@Command(
    name = "fieldstone",
    mixinStandardHelpOptions = true,
    version = "fieldstone 0.1.0-SNAPSHOT",
    description = "Finite-field computing for networks at hardware speed.")
public final class Main implements Runnable {
  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
