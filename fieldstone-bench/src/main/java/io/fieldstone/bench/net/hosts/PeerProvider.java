package io.fieldstone.bench.net.hosts;

import io.fieldstone.cli.console.CommandProvider;

/** Adds {@code peer} to the command. */
public final class PeerProvider implements CommandProvider {

  @Override
  public String name() {
    return PeerCommand.NAME;
  }

  @Override
  public Class<?> command() {
    return PeerCommand.class;
  }
}
