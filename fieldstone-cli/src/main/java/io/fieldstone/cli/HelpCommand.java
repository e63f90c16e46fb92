package io.fieldstone.cli;

import io.fieldstone.cli.console.Session;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone help}: prints the help of a command. */
@Command(
    name = HelpCommand.NAME,
    customSynopsis = "fieldstone help [COMMAND]",
    description = "Show the help of a command; without COMMAND, list the commands.",
    footer = {
      "",
      "Examples:",
      "  fieldstone help encode                        as fieldstone encode --help",
      "  fieldstone help key signing                   a command of a command",
    })
final class HelpCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "help";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Names.class,
      hideParamSyntax = true,
      description = "Name of the command.")
  private List<String> names = List.of();

  /** Lists the commands that the help of {@code fieldstone} shows. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Commands.all().entrySet().stream()
          .filter(command -> !command.getValue().getAnnotation(Command.class).hidden())
          .map(Map.Entry::getKey)
          .iterator();
    }
  }

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw Session.of(spec).usage(Main.unknownCommand(command, name));
      }
      command = next;
    }
    command.usage(command.getOut());
    return ExitCode.OK;
  }
}
