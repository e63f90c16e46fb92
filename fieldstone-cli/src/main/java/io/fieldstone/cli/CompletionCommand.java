package io.fieldstone.cli;

import io.fieldstone.cli.console.Session;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fieldstone completion}: a completion script for bash and zsh. */
@Command(
    name = "completion",
    customSynopsis = "fieldstone completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "",
      "Examples:",
      "  source <(fieldstone completion)               for this shell",
      "  fieldstone completion >> ~/.bashrc            for all",
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Session session = Session.of(spec);
    session.streams().out().print(AutoComplete.bash("fieldstone", spec.root().commandLine()));
    return ExitCode.OK;
  }
}
