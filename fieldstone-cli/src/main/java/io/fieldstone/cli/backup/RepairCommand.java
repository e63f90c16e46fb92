package io.fieldstone.cli.backup;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.backup.NoFilesException;
import io.fieldstone.rlnc.backup.NotRestorableException;
import io.fieldstone.rlnc.backup.RepairResult;
import io.fieldstone.rlnc.backup.SetPlaces;
import io.fieldstone.rlnc.backup.SetRepairer;
import io.fieldstone.rlnc.backup.SetReport;
import io.fieldstone.rlnc.backup.UnreadableSetException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone repair}: restores damaged and missing files and parity. */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "repair",
    sortOptions = false,
    customSynopsis = "fieldstone repair DIR [OPTION]...",
    description = {
      "Restore damaged and missing files, and their parity, as they were when 'fieldstone protect'"
          + " read them. Changes made since then are lost.",
      "",
      "Missing files are searched by their content: in the folders of the set, if one of these is"
          + " missing in the whole base, and in each FOLDER of --also. Files that were renamed get"
          + " their names back.",
      "",
      "Only damaged parts are written, in their places; missing files, and those whose bytes were"
          + " shifted, are made again. If not all can be restored, nothing is written, unless"
          + " --partial is given.",
      "",
      "Exit status: 0 if everything is intact at the end, 1 if the repair failed, 2 for a usage"
          + " error, 3 if bytes are lost for good.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone repair photos.parity",
      "  fieldstone repair /mnt/usb/parity --base /srv",
      "  fieldstone repair photos.parity --also /mnt/old",
    })
public final class RepairCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SetOptions options = new SetOptions();

  @Option(
      names = "--partial",
      description =
          "Restore what can be restored if some bytes cannot. Other files stay unchanged.")
  private boolean partial;

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    Path folder = options.folder();
    SetPlaces places = options.places();
    try (Engine engine = session.openCores()) {
      SetRepairer repairer = open(engine, folder);
      RepairResult result = repair(session, repairer, folder, places);
      session.print(Result.of(result), () -> text(result, session.isVerbose()));
      if (!result.after().isIntact()) {
        session.streams().requireWritten();
        throw SetText.notRestorable(result.after(), folder, partial);
      }
      return ExitCode.OK;
    }
  }

  private static SetRepairer open(Engine engine, Path folder) throws IOException, Failure {
    try {
      return SetRepairer.open(engine, folder);
    } catch (UnreadableSetException e) {
      throw SetText.unreadable(e);
    }
  }

  private RepairResult repair(Session session, SetRepairer repairer, Path folder, SetPlaces places)
      throws IOException, InterruptedException, Failure {
    try (Progress progress = session.progress("repair", repairer.list().blockBytes())) {
      return repairer.repair(places, partial, (done, _) -> progress.accept(done));
    } catch (NoFilesException e) {
      throw SetText.noFiles(e);
    } catch (NotRestorableException e) {
      session.print(SetText.State.of(e.report()), () -> text(e, session.isVerbose()));
      session.streams().requireWritten();
      throw SetText.notRestorable(e.report(), folder, false);
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(SetText.State before, SetText.State after, double seconds) {
    static Result of(RepairResult result) {
      return new Result(
          SetText.State.of(result.before()), SetText.State.of(result.after()), result.seconds());
    }
  }

  private static String text(NotRestorableException e, boolean isVerbose) {
    return SetText.text(e.report(), false, isVerbose)
        + (e.renamed() == 0
            ? ""
            : "gave %s the name back, and wrote nothing else%n"
                .formatted(ShardText.plural(e.renamed(), "renamed file")));
  }

  private static String text(RepairResult result, boolean isVerbose) {
    SetReport before = result.before();
    if (before.isIntact()) {
      return SetText.text(before, false, isVerbose);
    }
    long bytes = SetText.lostBytes(before) - SetText.lostBytes(result.after());
    return SetText.text(before, false, isVerbose)
        + "restored %s in %s%n"
            .formatted(Units.bytes(bytes), ShardText.took(bytes, result.seconds()))
        + (result.after().isIntact() ? "verified: " : "\nnow:\n")
        + (result.after().isIntact()
            ? "all files and all parity are intact\n"
            : SetText.text(result.after(), false, isVerbose));
  }
}
