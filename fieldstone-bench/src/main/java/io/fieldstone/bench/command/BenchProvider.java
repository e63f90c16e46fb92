package io.fieldstone.bench.command;

import io.fieldstone.cli.console.CommandProvider;

/** Adds {@code bench} to the command. */
public final class BenchProvider implements CommandProvider {

  @Override
  public String name() {
    return BenchCommand.NAME;
  }

  @Override
  public Class<?> command() {
    return BenchCommand.class;
  }
}
