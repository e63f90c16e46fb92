package io.fieldstone.cli;

import java.util.Comparator;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Lays out help pages: a command's own options come before those that all commands share. */
final class HelpLayout {

  private HelpLayout() {}

  /** Lays out the help of a command and of its subcommands. */
  static void install(CommandLine commandLine) {
    commandLine
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpLayout::options);
    commandLine
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpLayout::parameters);
    commandLine.getSubcommands().values().forEach(HelpLayout::install);
  }

  private static String parameters(Help help) {
    return help.commandSpec().positionalParameters().isEmpty() ? "" : "\n" + help.parameterList();
  }

  private static String options(Help help) {
    // In the order of declaration, except for options with an order of their own.
    List<OptionSpec> all =
        help.commandSpec().options().stream()
            .sorted(Comparator.comparingInt(OptionSpec::order))
            .toList();
    List<OptionSpec> own = all.stream().filter(option -> !option.inherited()).toList();
    List<OptionSpec> shared = all.stream().filter(OptionSpec::inherited).toList();
    String ownList = own.isEmpty() ? "" : "\nOptions:\n" + list(help, own);
    return shared.isEmpty() ? ownList : ownList + "\nCommon options:\n" + list(help, shared);
  }

  private static String list(Help help, List<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
    layout.addOptions(options, help.createDefaultParamLabelRenderer());
    return layout.toString();
  }
}
