package io.fieldstone.cli;

import io.fieldstone.cli.console.Streams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes a manual page of each command, in roff with the macros of man(7), from the model of
 * picocli that the help pages also show. The distribution has them in {@code share/man/man1}.
 *
 * <p>picocli's generator writes AsciiDoc, for which the build would need Asciidoctor, a Ruby
 * program of 30 MB.
 */
final class ManPages {

  private static final String SECTION = "1";

  private ManPages() {}

  /** Writes all pages into a directory, the only argument, and creates it if necessary. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, String> page : all().entrySet()) {
      Files.writeString(
          directory.resolve(page.getKey()), page.getValue(), StandardCharsets.US_ASCII);
    }
  }

  /** Returns the pages by file name, such as {@code fieldstone-encode.1}. */
  static Map<String, String> all() throws IOException {
    Map<String, String> pages = new LinkedHashMap<>();
    addPages(Main.commandLine(new Main(Streams.system())), pages);
    return pages;
  }

  private static void addPages(CommandLine command, Map<String, String> pages) throws IOException {
    pages.put(name(command.getCommandSpec()) + "." + SECTION, page(command));
    for (String name : Main.visibleCommands(command)) {
      addPages(subcommand(command, name), pages);
    }
  }

  private static CommandLine subcommand(CommandLine command, String name) {
    return Objects.requireNonNull(command.getSubcommands().get(name));
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private static String page(CommandLine command) throws IOException {
    CommandSpec spec = command.getCommandSpec();
    List<String> description = lines(spec.usageMessage().description());
    Roff page = new Roff();
    page.heading(name(spec), SECTION, "fieldstone " + Version.number());
    page.section("NAME");
    page.text(name(spec) + " - " + withoutStop(description.getFirst()));
    page.section("SYNOPSIS");
    synopses(command).forEach(page::synopsis);
    page.section("DESCRIPTION");
    description.forEach(page::line);
    addParameters(page, spec.positionalParameters());
    addOptions(page, "OPTIONS", spec.options().stream().filter(each -> !each.inherited()).toList());
    addOptions(
        page, "COMMON OPTIONS", spec.options().stream().filter(OptionSpec::inherited).toList());
    addCommands(page, command);
    addFooter(page, lines(spec.usageMessage().footer()));
    page.section("SEE ALSO");
    page.text(
        spec.parent() == null
            ? "The pages of the commands, such as fieldstone-encode(1)."
            : name(spec.parent()) + "(1)");
    return page.toString();
  }

  private static List<String> synopses(CommandLine command) {
    String[] custom = command.getCommandSpec().usageMessage().customSynopsis();
    return custom.length > 0
        ? lines(custom).stream().map(String::strip).toList()
        : List.of("%s [OPTION]... COMMAND".formatted(command.getCommandSpec().qualifiedName()));
  }

  private static void addParameters(Roff page, List<PositionalParamSpec> parameters) {
    if (!parameters.isEmpty()) {
      page.section("ARGUMENTS");
      parameters.forEach(each -> page.term(each.paramLabel(), text(each)));
    }
  }

  private static void addOptions(Roff page, String title, List<OptionSpec> options) {
    List<OptionSpec> shown = options.stream().filter(each -> !each.hidden()).toList();
    if (!shown.isEmpty()) {
      page.section(title);
      for (OptionSpec option : shown) {
        String value =
            option.arity().max() == 0
                ? ""
                : "="
                    + IntStream.range(0, option.arity().min() < 1 ? 1 : option.arity().min())
                        .mapToObj(_ -> option.paramLabel())
                        .collect(Collectors.joining(" "));
        page.term(String.join(", ", option.names()) + value, text(option));
      }
    }
  }

  private static void addCommands(Roff page, CommandLine command) {
    List<String> commands = Main.visibleCommands(command);
    if (!commands.isEmpty()) {
      page.section("COMMANDS");
      for (String name : commands) {
        CommandSpec spec = subcommand(command, name).getCommandSpec();
        page.term(name(spec) + "(1)", lines(spec.usageMessage().description()).getFirst());
      }
    }
  }

  /** Adds the footer, in which a line that ends with a colon is a heading. */
  private static void addFooter(Roff page, List<String> footer) {
    for (String line : footer) {
      if (line.endsWith(":") && !line.startsWith(" ")) {
        page.section(line.substring(0, line.length() - 1).toUpperCase(Locale.ROOT));
      } else {
        page.line(line);
      }
    }
  }

  private static String text(ArgSpec argument) {
    return String.join(" ", lines(argument.description()));
  }

  /**
   * Returns lines as help pages show them. picocli reads them as formats, of which it has already
   * applied some: those with a percent sign.
   */
  private static List<String> lines(String[] formats) {
    return Arrays.stream(formats).map(each -> each.replace("%n", "\n").replace("%%", "%")).toList();
  }

  private static String withoutStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  /** Text in roff, in ASCII. */
  private static final class Roff {

    private final StringBuilder text = new StringBuilder();
    private boolean isVerbatim;

    void heading(String name, String section, String version) {
      request(
          ".TH \"%s\" \"%s\" \"\" \"%s\" \"Fieldstone\"",
          name.toUpperCase(Locale.ROOT), section, version);
      request(".nh"); // no hyphenation
      request(".ad l"); // flush left
    }

    void section(String title) {
      verbatim(false);
      request(".SH \"%s\"", title);
    }

    void synopsis(String line) {
      request(".B \"%s\"", line);
      request(".br");
    }

    void term(String term, String description) {
      request(".TP");
      request(".B \"%s\"", term);
      text(description);
    }

    /** Adds a line: an indented one as it is, an empty one as the end of a paragraph. */
    void line(String line) {
      if (line.isBlank()) {
        verbatim(false);
        request(".PP");
      } else {
        verbatim(line.startsWith("  "));
        text(line);
      }
    }

    void text(String line) {
      text.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "");
      text.append(escaped(line)).append('\n');
    }

    private void verbatim(boolean newIsVerbatim) {
      if (newIsVerbatim != isVerbatim) {
        isVerbatim = newIsVerbatim;
        request(isVerbatim ? ".nf" : ".fi");
      }
    }

    private void request(String format, String... arguments) {
      Object[] escaped = Arrays.stream(arguments).map(Roff::escaped).toArray();
      text.append(String.format(format, escaped)).append('\n');
    }

    private static String escaped(String line) {
      StringBuilder escaped = new StringBuilder();
      line.chars().forEach(each -> escaped.append(escaped((char) each)));
      return escaped.toString();
    }

    private static String escaped(char each) {
      return switch (each) {
        case '\\' -> "\\e";
        case '-' -> "\\-";
        case '"' -> "\\(dq";
        case '─' -> "-";
        case '…' -> "...";
        case '×' -> "x";
        case '·' -> "*";
        default -> {
          if (each > '~') {
            throw new IllegalArgumentException(
                "no escape for '%c' in a manual page".formatted(each));
          }
          yield String.valueOf(each);
        }
      };
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
