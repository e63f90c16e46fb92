package io.fieldstone.cli;

import io.fieldstone.cli.console.Session;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone completion}: prints a completion script for bash and zsh. */
@Command(
    name = CompletionCommand.NAME,
    customSynopsis = "fieldstone completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "",
      "Examples:",
      "  source <(fieldstone completion)               in this shell",
      "  fieldstone completion >> ~/.bashrc            in every new shell",
    })
final class CompletionCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "completion";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Session session = Session.of(spec);
    session.streams().out().print(AutoComplete.bash("fieldstone", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
