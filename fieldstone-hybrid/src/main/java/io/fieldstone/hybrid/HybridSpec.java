package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed name of a combined engine: parts joined by {@code +}. Each is the name of an engine,
 * or {@code FAMILY:all} for all present engines {@code FAMILY:0}, {@code FAMILY:1}, …. An optional
 * suffix {@code @} forces the split of all jobs: {@code generations}, {@code rows} or {@code
 * columns}; {@code =} after it sets the share of the first of two parts.
 *
 * @param text the full name
 * @param parts the names of the parts
 * @param rule the split rule of the suffix
 */
record HybridSpec(String text, List<String> parts, SplitRule rule) {

  private static final Pattern HYBRID =
      Pattern.compile("[^@]*(\\+|:all(?![^:@+])).*", Pattern.DOTALL);
  private static final Pattern ALL = Pattern.compile("([^:]+):all(:.*)?", Pattern.DOTALL);
  private static final Pattern NUMBERED = Pattern.compile("([^:]+):\\d+");

  /** Returns whether a name is that of a combined engine. */
  static boolean isHybrid(String text) {
    return HYBRID.matcher(text).matches();
  }

  /** Returns the family of a numbered engine: {@code cuda} for {@code cuda:0}. */
  static Optional<String> family(String spec) {
    Matcher numbered = NUMBERED.matcher(spec);
    return numbered.matches() ? Optional.of(numbered.group(1)) : Optional.empty();
  }

  /**
   * Parses a name.
   *
   * @param listed all engines, for {@code FAMILY:all}
   * @throws IllegalArgumentException if it is malformed, or no engine of a family is present
   */
  static HybridSpec parse(String text, List<EngineStatus> listed) {
    int at = text.indexOf('@');
    String names = at < 0 ? text : text.substring(0, at);
    List<String> parts = new ArrayList<>();
    for (String name : names.split("\\+", -1)) {
      Matcher all = ALL.matcher(name);
      if (all.matches()) {
        String variant = Optional.ofNullable(all.group(2)).orElse("");
        present(all.group(1), name, listed).forEach(device -> parts.add(device + variant));
      } else {
        parts.add(name);
      }
    }
    SplitRule rule = at < 0 ? SplitRule.BY_SHAPE : SplitRule.parse(text, text.substring(at + 1));
    if (rule.share().isPresent() && parts.size() != 2) {
      throw new IllegalArgumentException(
          "engine '%s' gives the share of one of two parts, and has %d"
              .formatted(text, parts.size()));
    }
    return new HybridSpec(text, List.copyOf(parts), rule);
  }

  /**
   * Opens the engine; a name of one part opens that part.
   *
   * @param opener opens a part by name
   * @throws IllegalArgumentException if a part cannot be opened, or occurs twice; the others have
   *     been closed
   */
  Engine open(Function<String, Engine> opener) {
    List<Engine> engines =
        CloseAll.openAll(parts.size(), part -> openPart(parts.get(part), opener), Engine::close);
    if (engines.size() == 1) {
      return engines.getFirst();
    }
    Set<String> seen = new HashSet<>();
    for (Engine engine : engines) {
      if (!seen.add(engine.spec())) {
        CloseAll.closeAll(engines, Engine::close);
        throw new IllegalArgumentException(
            "engine '%s' has the part '%s' twice, which cannot work at two jobs at once"
                .formatted(text, engine.spec()));
      }
    }
    return new HybridEngine(text, engines, rule);
  }

  private Engine openPart(String part, Function<String, Engine> opener) {
    try {
      return opener.apply(part);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "engine '%s' lacks a part: %s".formatted(text, e.getMessage()), e);
    }
  }

  private static List<String> present(String family, String name, List<EngineStatus> listed) {
    List<EngineStatus> members =
        listed.stream()
            .filter(engine -> family(engine.spec()).filter(family::equals).isPresent())
            .toList();
    List<String> present =
        members.stream().filter(EngineStatus::isPresent).map(EngineStatus::spec).toList();
    if (present.isEmpty()) {
      throw new IllegalArgumentException(
          "engine '%s' is not available here: %s"
              .formatted(
                  name,
                  members.stream()
                      .findFirst()
                      .flatMap(EngineStatus::missing)
                      .orElse("there is no engine '" + family + ":0'")));
    }
    return present;
  }
}
