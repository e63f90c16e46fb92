package io.fieldstone.cli;

import io.fieldstone.cli.console.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
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
    CommandLine root = spec.root().commandLine();
    String script = AutoComplete.bash("fieldstone", root) + inBash(root);
    Session.of(spec).streams().out().print(script);
    return ExitCode.OK;
  }

  /**
   * Returns a function that calls picocli's, which knows words that blanks separate, and completes
   * the names of all commands at every place behind {@code help}.
   */
  private static String inBash(CommandLine root) {
    StringBuilder cases = new StringBuilder();
    root.getSubcommands()
        .forEach((name, command) -> {
          List<String> commands = Main.visibleCommands(command);
          if (!commands.isEmpty()) {
            cases.append(
                "      %s\\ *) commands=\"%s\" ;;\n".formatted(name, String.join(" ", commands)));
          }
        });
    return """

    # Joins the words that bash splits at : and =, except an option and its value.
    function _complete_fieldstone_words() {
      local words=() word isOpen="" last=${COMP_WORDS[COMP_CWORD]}
      for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${word} == "=" && ${words[${#words[@]}-1]} == --* ]]; then
          words+=("")
          isOpen=1
        elif [[ ${word} == [:=]* ]]; then
          words[${#words[@]}-1]+=${word}
          isOpen=1
        elif [ -n "${isOpen}" ]; then
          words[${#words[@]}-1]+=${word}
          isOpen=""
        else
          words+=("${word}")
        fi
      done
      local COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
      _complete_fieldstone
      if [[ ${COMP_WORDS[1]} == help && ${COMP_WORDS[*]:2} != *-* ]]; then
        local commands=""
        case "${COMP_WORDS[*]:2}" in
    %s            *\\ *) ;;
          *) commands="%s" ;;
        esac
        COMPREPLY=( $(compgen -W "${commands}" -- "${COMP_WORDS[COMP_CWORD]}") )
      fi
      # Bash replaces its last word only, or nothing if that is : or =.
      [[ ${last} != [:=]* ]] || last=""
      local before=${COMP_WORDS[COMP_CWORD]%%"${last}"}
      COMPREPLY=("${COMPREPLY[@]#"${before}"}")
      # Files of parameters that picocli takes for text.
      [[ ${#COMPREPLY[@]} != 0 || ${COMP_WORDS[1]} == help ]] || compopt -o default
    }
    if [ -n "$BASH_VERSION" ]; then
      complete -F _complete_fieldstone_words -o default fieldstone fieldstone.sh fieldstone.bash
    fi
    """
        .formatted(cases, String.join(" ", Main.visibleCommands(root)));
  }
}
