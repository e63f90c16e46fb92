package io.fieldstone.cli;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone devices}: lists the engines, their rates and their conformance. */
@Command(
    name = "devices",
    customSynopsis = "fieldstone devices [--all] [--verify] [OPTION]...",
    description = {
      "List the engines of this machine, and why an engine is not available.",
      "",
      "The rate is measured by encoding 128 blocks of 4096 bytes, in 10^9 GF(2^8)"
          + " multiply-accumulates (GF-MAC) per second, each on one byte. With --engine, only that"
          + " engine is listed.",
      "",
      "Engines that only repeat a step of a paper, or force one kernel, are listed with --all.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone devices                            the engines and their rates",
      "  fieldstone devices --verify                   also check their results",
      "  fieldstone devices --all                      also those for measurements",
    })
final class DevicesCommand implements Callable<Integer> {

  private static final long SEED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--all", description = "List the engines for measurements, too.")
  private boolean isAll;

  @Option(names = "--verify", description = "Run the conformance suite on each engine.")
  private boolean verify;

  /**
   * An engine and its measurements.
   *
   * @param isAuto whether {@code --engine auto} selects it
   * @param missing why it is not available
   * @param gigaMacs measured rate in G GF-MAC/s, if it is available
   * @param checks the results of the conformance suite, if it ran
   */
  private record Device(
      String engine,
      String description,
      boolean isAuto,
      Optional<String> missing,
      Optional<Double> gigaMacs,
      List<CheckResult> checks) {

    Device with(List<CheckResult> found) {
      return new Device(engine, description, isAuto, missing, gigaMacs, found);
    }

    boolean isFailed() {
      return checks.stream().anyMatch(check -> check.failure().isPresent());
    }
  }

  /** The output of {@code --json}. */
  private record Result(List<Device> engines) {}

  @Override
  public Integer call() throws Failure {
    Session session = Session.of(spec);
    List<EngineStatus> listed = listed(session);
    String auto =
        Engine.available().stream()
            .filter(EngineStatus::isPresent)
            .map(EngineStatus::spec)
            .findFirst()
            .orElse("");
    List<Device> devices = measure(session, listed, auto);
    String failed =
        String.join(", ", devices.stream().filter(Device::isFailed).map(Device::engine).toList());
    if (!failed.isEmpty()) {
      throw new Failure("failed the conformance suite", failed);
    }
    Set<String> present =
        listed.stream()
            .filter(EngineStatus::isPresent)
            .map(EngineStatus::spec)
            .collect(Collectors.toSet());
    String unopened =
        devices.stream()
            .filter(device -> device.missing().isPresent() && present.contains(device.engine()))
            .map(Device::engine)
            .collect(Collectors.joining(", "));
    if (verify && !unopened.isEmpty()) {
      throw new Failure("cannot be opened, and not verified", unopened);
    }
    return ExitCode.OK;
  }

  private List<EngineStatus> listed(Session session) {
    List<EngineStatus> all = Engine.available();
    if (session.isAutoEngine()) {
      return all.stream().filter(status -> isAll || !status.isForMeasurement()).toList();
    }
    if (isAll) {
      throw session.usage("--all lists every engine, and --engine one: give one of them");
    }
    List<EngineStatus> one =
        all.stream().filter(status -> status.spec().equals(session.engineSpec())).toList();
    if (one.isEmpty()) {
      try (Engine engine =
          session
              .openEngine()) { // throws if the engine is unknown; engines with parameters are not
        // listed
        return List.of(EngineStatus.present(session.engineSpec(), engine.kind(), "opened by name"));
      }
    }
    return one;
  }

  /** Measures each engine and prints each result as soon as it is available. */
  private List<Device> measure(Session session, List<EngineStatus> listed, String auto) {
    Map<String, Engine> engines = new LinkedHashMap<>();
    List<EngineStatus> opened = new ArrayList<>();
    try {
      for (EngineStatus status : listed) {
        opened.add(status.isPresent() ? open(session, status, engines) : status);
      }
      List<Device> devices = rates(session, opened, engines, auto);
      if (!session.isJson()) {
        print(session, text(devices));
      }
      if (verify) {
        devices.replaceAll(device -> {
          Engine engine = engines.get(device.engine());
          return engine == null ? device : verified(session, device, engine);
        });
      }
      session.print(new Result(devices), () -> "");
      return devices;
    } finally {
      engines.values().forEach(Engine::close);
    }
  }

  /** Opens an engine; one that fails is listed with its problem. */
  private static EngineStatus open(
      Session session, EngineStatus status, Map<String, Engine> engines) {
    try {
      engines.put(status.spec(), session.openEngine(status.spec()));
      return status;
    } catch (EngineFailedException | EngineMemoryError e) {
      return EngineStatus.missing(
          status.spec(), status.kind(), status.description(), ErrorLine.of(e));
    }
  }

  private static void print(Session session, String text) {
    session.printResult(text, () -> text);
    session.streams().out().flush();
  }

  private static List<Device> rates(
      Session session, List<EngineStatus> listed, Map<String, Engine> engines, String auto) {
    try (Progress.Steps steps = session.steps("devices")) {
      steps.begin("rates", 0, 1);
      Map<String, Double> rates = EngineRate.measure(engines.values());
      List<Device> devices = new ArrayList<>();
      for (EngineStatus status : listed) {
        devices.add(
            status.isPresent()
                ? present(
                    status,
                    Objects.requireNonNull(engines.get(status.spec())),
                    Optional.ofNullable(rates.get(status.spec())),
                    auto)
                : missing(status));
      }
      return devices;
    }
  }

  private static Device verified(Session session, Device device, Engine engine) {
    Conformance suite = Conformance.of(engine);
    List<CheckResult> checks;
    try (Progress.Steps steps = session.steps(device.engine())) {
      AtomicInteger done = new AtomicInteger();
      steps.begin("verify", 0, suite.size());
      checks = suite.run(SEED, _ -> steps.begin("verify", done.incrementAndGet(), suite.size()));
    }
    Device verified = device.with(checks);
    if (!session.isJson()) {
      print(session, "\n" + verified.engine() + "\n" + checks(verified, suite.missing()));
    }
    return verified;
  }

  private static Device missing(EngineStatus status) {
    return new Device(
        status.spec(), status.description(), false, status.missing(), Optional.empty(), List.of());
  }

  private static Device present(
      EngineStatus status, Engine engine, Optional<Double> rate, String auto) {
    return new Device(
        status.spec(),
        engine.description(),
        status.spec().equals(auto),
        Optional.empty(),
        rate,
        List.of());
  }

  private static String text(List<Device> devices) {
    TextTable table = new TextTable().text("engine").number("G GF-MAC/s").text("");
    for (Device device : devices) {
      String description = device.description() + (device.isAuto() ? " (selected by auto)" : "");
      table.row(
          device.engine(),
          device.gigaMacs().map(Units::significant).orElse("-"),
          device.missing().map(reason -> "not available: " + reason).orElse(description));
    }
    return table.toString();
  }

  private static TextTable checks(Device device, Set<String> missing) {
    TextTable table = new TextTable().text("").text("").text("");
    for (String port : missing) {
      table.row("  none", "port " + port, "not checked");
    }
    for (CheckResult check : device.checks()) {
      table.row(
          check.failure().isEmpty() ? "  pass" : "  FAIL",
          check.name(),
          check.failure().map(ErrorLine::oneLine).orElse(Units.count(check.cases()) + " cases"));
    }
    return table;
  }
}
