package io.fieldstone.cli.net;

import io.fieldstone.cli.console.StartUp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone tunnel}: hides the loss of a path from what is inside. */
@StartUp(StartUp.Profile.SERVICE)
@Command(
    name = "tunnel",
    sortOptions = false,
    description = {
      "Carry the packets of a UDP port, or of a TUN device of Linux, over a lossy path, and hide"
          + " its loss from them.",
      "",
      "There is nothing to set: how many repairs are sent follows from the loss of each direction,"
          + " none without loss. A UDP port needs no root. Packets are encrypted on the way.",
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  fieldstone tunnel server --to udp://127.0.0.1:51820",
      "  fieldstone tunnel client --from a.example:4433 --listen udp://127.0.0.1:51820",
    },
    subcommands = {TunnelServerCommand.class, TunnelClientCommand.class})
public final class TunnelCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given; there are: server, client");
  }
}
