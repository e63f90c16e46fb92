package io.fieldstone.cli.net;

import io.fieldstone.cli.console.StartUp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone stream}: sends and receives live streams. */
@StartUp(StartUp.Profile.SERVICE)
@Command(
    name = "stream",
    sortOptions = false,
    description = {
      "Send a live stream to any number of receivers, and receive one.",
      "",
      "Lost packets are repaired by combinations of later ones, so that a repair needs no round"
          + " trip. How many repairs are sent follows from the loss of each path: none without"
          + " loss. 'fieldstone relay --stream' passes a stream on.",
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  fieldstone stream send udp://127.0.0.1:5000 --deadline 100ms",
      "  fieldstone stream receive --from a.example:4433 -o udp://127.0.0.1:8000",
    },
    subcommands = {StreamSendCommand.class, StreamReceiveCommand.class})
public final class StreamCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given; there are: send, receive");
  }
}
