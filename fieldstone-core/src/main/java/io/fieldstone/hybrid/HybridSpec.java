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
 * The name of a hybrid engine: parts joined by {@code +}, each the name of an engine, or {@code
 * FAMILY:all} for every present one of those numbered {@code FAMILY:0}, {@code FAMILY:1}, …. After
 * {@code @} may follow how jobs are split, whatever their shape: {@code generations}, {@code rows}
 * or {@code columns}; and after {@code =} the share of the first of two parts.
 *
 * @param text all of it
 * @param parts the names of the engines it is made of
 * @param rule what follows {@code @}
 */
record HybridSpec(String text, List<String> parts, SplitRule rule) {

  private static final Pattern HYBRID =
      Pattern.compile("[^@]*(\\+|:all(?![^:@+])).*", Pattern.DOTALL);
  private static final Pattern ALL = Pattern.compile("([^:]+):all(:.*)?", Pattern.DOTALL);
  private static final Pattern NUMBERED = Pattern.compile("([^:]+):\\d+");

  /** Whether a name is meant as one of these. */
  static boolean isHybrid(String text) {
    return HYBRID.matcher(text).matches();
  }

  /** The family of a numbered engine: {@code cuda} for {@code cuda:0}. */
  static Optional<String> family(String spec) {
    Matcher numbered = NUMBERED.matcher(spec);
    return numbered.matches() ? Optional.of(numbered.group(1)) : Optional.empty();
  }

  /**
   * Reads a name.
   *
   * @param listed the engines there are, for {@code FAMILY:all}
   * @throws IllegalArgumentException if it cannot be read, or there are none of a family
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
   * Opens the engine: a single part is itself.
   *
   * @param opener opens a part by name
   * @throws IllegalArgumentException if a part cannot be opened, or is there twice; the others have
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
