package io.fieldstone.cli;

import io.fieldstone.cli.backup.ListCommand;
import io.fieldstone.cli.backup.ProtectCommand;
import io.fieldstone.cli.backup.RepairCommand;
import io.fieldstone.cli.backup.VerifyCommand;
import io.fieldstone.cli.codes.DistanceCommand;
import io.fieldstone.cli.coding.DecodeCommand;
import io.fieldstone.cli.coding.EncodeCommand;
import io.fieldstone.cli.coding.InspectCommand;
import io.fieldstone.cli.coding.RecodeCommand;
import io.fieldstone.cli.console.CommandProvider;
import io.fieldstone.cli.crc.CrcCommand;
import io.fieldstone.cli.key.KeyCommand;
import io.fieldstone.cli.net.FetchCommand;
import io.fieldstone.cli.net.RelayCommand;
import io.fieldstone.cli.net.ServeCommand;
import io.fieldstone.cli.net.StreamCommand;
import io.fieldstone.cli.net.TunnelCommand;
import io.fieldstone.cli.relays.RelaysCommand;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The subcommands by name, in the order in which the help lists them. */
final class Commands {

  /** Commands that describe others. */
  private static final Set<Class<?>> OF_ALL = Set.of(CompletionCommand.class, HelpCommand.class);

  private static final Map<String, Class<?>> JOBS = jobs();

  private Commands() {}

  private static Map<String, Class<?>> jobs() {
    Map<String, Class<?>> jobs = new LinkedHashMap<>();
    jobs.put("demo", DemoCommand.class);
    jobs.put("encode", EncodeCommand.class);
    jobs.put("decode", DecodeCommand.class);
    jobs.put("recode", RecodeCommand.class);
    jobs.put("inspect", InspectCommand.class);
    jobs.put("protect", ProtectCommand.class);
    jobs.put("verify", VerifyCommand.class);
    jobs.put("repair", RepairCommand.class);
    jobs.put("list", ListCommand.class);
    jobs.put("serve", ServeCommand.class);
    jobs.put("relay", RelayCommand.class);
    jobs.put("fetch", FetchCommand.class);
    jobs.put("stream", StreamCommand.class);
    jobs.put("tunnel", TunnelCommand.class);
    jobs.put("key", KeyCommand.class);
    jobs.put("crc", CrcCommand.class);
    jobs.put("weights", WeightsCommand.class);
    jobs.put("distance", DistanceCommand.class);
    jobs.put("relays", RelaysCommand.class);
    jobs.put("sort", SortCommand.class);
    jobs.put("devices", DevicesCommand.class);
    jobs.put(TrainCommand.NAME, TrainCommand.class);
    return Collections.unmodifiableMap(jobs);
  }

  /** Returns all commands, with those of other modules on the class path. */
  static Map<String, Class<?>> all() {
    Map<String, Class<?>> all = new LinkedHashMap<>(JOBS);
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      all.put(provider.name(), provider.command());
    }
    all.put(CompletionCommand.NAME, CompletionCommand.class);
    all.put(HelpCommand.NAME, HelpCommand.class);
    return all;
  }

  /** Returns the command of this module that has a name and does one job. */
  static Optional<Class<?>> job(String name) {
    return Optional.ofNullable(JOBS.get(name));
  }

  /** Returns what the list of commands says of one, without its options. */
  static CommandSpec summary(Class<?> command) {
    Command declared = command.getAnnotation(Command.class);
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(declared.description()).hidden(declared.hidden());
    return spec;
  }

  /**
   * Returns the commands that a command line needs. Reading the options of all commands by
   * reflection takes longer than most small jobs, so the first argument selects its command.
   */
  static Map<String, Class<?>> of(String... args) {
    String first = args.length == 0 ? "" : args[0];
    if (first.equals("--version")) {
      return Map.of();
    }
    Optional<Class<?>> job = job(first);
    if (job.isPresent()) {
      return Map.of(first, job.get());
    }
    Map<String, Class<?>> all = all();
    Class<?> command = all.get(first);
    return command == null || OF_ALL.contains(command) ? all : Map.of(first, command);
  }
}
