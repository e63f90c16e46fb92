package io.fieldstone.cli.crc;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.FileHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone crc}: computes and checks CRCs of files. */
@StartUp(
    value = StartUp.Profile.C1,
    c2Options = {"--method", "--best", "--length"})
@Command(
    name = "crc",
    sortOptions = false,
    customSynopsis = {
      "fieldstone crc [-a ALGORITHM] [FILE...] [OPTION]...",
      "       fieldstone crc [-a ALGORITHM]... --hex BYTES | --string TEXT",
      "       fieldstone crc --check SUMS... [OPTION]...",
      "       fieldstone crc --list [ALGORITHM...]",
      "       fieldstone crc --combine CRC_A CRC_B LENGTH_B [-a ALGORITHM]",
      "       fieldstone crc --locate CRC FILE [--errors 2] [--burst BITS]",
      "       fieldstone crc --force CRC --at OFFSET FILE [-o COPY]",
      "       fieldstone crc --find SAMPLES... [-a ALGORITHM]",
      "       fieldstone crc --analyse [ALGORITHM] [--length BITS]",
      "       fieldstone crc --best WIDTH --length BITS [--hd DISTANCE] [-o FILE.csv]",
      "       fieldstone crc --emit LANGUAGE [--bits N] [-a ALGORITHM] [-o FILE]",
    },
    description = {
      "Print or check the CRCs of files.",
      "",
      "Without FILE, or if FILE is -, standard input is read. Several files are read in parallel."
          + " The engine auto selects the cores, which compute CRCs faster than files are read.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone crc film.mkv                       as gzip -lv shows it",
      "  fieldstone crc -a CRC-64/XZ *.iso > SUMS      one line per file",
      "  fieldstone crc -a CRC-64/XZ --check SUMS      check the files",
      "  fieldstone crc -r photos -o photos.sfv        an SFV list of a folder",
      "  fieldstone crc --check photos.sfv             check the files in it",
      "  fieldstone crc -a modbus --hex '01 03 00 00 00 0a'",
      "  fieldstone crc -a crc32 -a crc32c film.mkv    by several algorithms",
      "  fieldstone crc --cksum film.mkv               as POSIX cksum prints it",
      "  fieldstone crc --list CRC-32C                 its parameters",
      "  fieldstone crc --width 16 --poly 0x8005 --init 0xFFFF --refin --refout FILE",
      "  fieldstone crc --combine 0xcbf43926 0x8587d865 5",
      "  fieldstone crc --find samples.txt             the CRC that made samples",
      "  fieldstone crc --analyse CRC-32 --length 12112 the errors that it misses",
    })
public final class CrcCommand implements Callable<Integer> {

  private static final String SFV = ".sfv";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files; lists of checksums with --check, names of algorithms with --list.")
  private List<String> arguments = List.of();

  @Mixin private CrcOptions algorithm = new CrcOptions();

  @Mixin private CrcQuestions questions = new CrcQuestions();

  @Mixin private CrcInputOptions input = new CrcInputOptions();

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = CrcMethods.class,
      description =
          "CRC method of the engine: auto (the default); on the cores bitwise, bytewise, slicing-8,"
              + " slicing-16, parallel, vector, carry-less, jdk.")
  private @Nullable String method;

  @Option(names = "--tag", description = "Print lines with the algorithm: NAME (FILE) = HEX.")
  private boolean tag;

  @Option(
      names = {"-r", "--recursive"},
      description =
          "Take folders as the files in them and in their subfolders, in order of names. Symbolic"
              + " links in folders are skipped.")
  private boolean isRecursive;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "LIST",
      description =
          "Write the lines to LIST, an SFV list if it ends in .sfv (default: -, standard output).")
  private @Nullable Path output;

  @Option(
      names = "--sfv",
      description = "Print lines of an SFV list, FILE CRC32; with --check, read such lists.")
  private boolean isSfv;

  @Option(
      names = "--cksum",
      description =
          "Print as POSIX cksum does: the CRC-32/CKSUM of a file and its length, then the length.")
  private boolean cksum;

  @Option(
      names = {"-c", "--check"},
      description = "Read lists of checksums and check the files in them.")
  private boolean check;

  @Option(names = "--ignore-missing", description = "With --check: skip missing files.")
  private boolean ignoreMissing;

  @Option(
      names = "--status",
      description = "With --check: print nothing; only set the exit status.")
  private boolean status;

  @Option(
      names = "--strict",
      description =
          "With --check: fail if a line is malformed. With -o: write no LIST if a file cannot be"
              + " read.")
  private boolean strict;

  @Option(names = "--warn", description = "With --check: report each malformed line.")
  private boolean warn;

  @Option(
      names = "--list",
      description = "Print the catalogue of CRCs; with names, all parameters of each.")
  private boolean list;

  @Option(
      names = "--combine",
      arity = "1..3",
      paramLabel = "CRC_A CRC_B LENGTH_B",
      hideParamSyntax = true,
      description = "Print the checksum of A followed by B, of LENGTH_B bytes.")
  private List<String> combine = List.of();

  @Option(
      names = "--base64",
      description =
          "Print checksums in base64, as S3 does, and read them so with --check and --combine.")
  private boolean isBase64;

  @Mixin private CrcDesignOptions design = new CrcDesignOptions();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    List<String> designs = design.modes();
    long modes =
        designs.size()
            + List.of(check, list, !combine.isEmpty(), cksum, questions.isAsked()).stream()
                .filter(mode -> mode)
                .count();
    if (modes > 1) {
      throw session.usage(
          "--check, --list, --combine, --cksum, --find, --analyse, "
              + String.join(", ", CrcDesignOptions.MODES)
              + " exclude each other");
    }
    questions.check(session, design.length);
    design.strays(questions.isAnalyse()).stream()
        .findFirst()
        .ifPresent(stray -> {
          throw session.usage(stray);
        });
    if (!check && (ignoreMissing || status || warn)) {
      throw session.usage("--ignore-missing, --status and --warn need --check");
    }
    if (strict && !check && output == null) {
      throw session.usage("--strict needs --check or -o LIST");
    }
    if (input.hasMessages()) {
      return messages(session, modes > 0);
    }
    if (input.isRelative() && !check && output == null) {
      throw session.usage("--relative needs --check or -o LIST");
    }
    if (!designs.isEmpty()) {
      return design(session, designs.getFirst());
    }
    checkLists(session, modes > 0 && !cksum);
    if (tag && modes > 0) {
      throw session.usage(
          "--tag does not apply to --check, --list, --combine, --cksum, --find and --analyse");
    }
    if (isBase64 && (tag || cksum || list || isSfvList(output))) {
      throw session.usage("--base64 excludes --tag, --cksum, --list and SFV lists");
    }
    if (method != null && (list || !combine.isEmpty() || questions.isAsked())) {
      throw session.usage("--method does not apply to --list, --combine, --find and --analyse");
    }
    if (list) {
      return list(session);
    }
    if (!combine.isEmpty()) {
      return combine(session);
    }
    if (questions.isAsked()) {
      questions.answer(session, algorithm, arguments, design.length);
      return ExitCode.OK;
    }
    List<Path> files = arguments.isEmpty() ? List.of(Path.of("-")) : paths();
    return check ? check(session, files) : print(session, files);
  }

  /** Prints the checksums of {@code --hex} and {@code --string}. */
  private int messages(Session session, boolean hasMode) {
    boolean hasOther = isRecursive || isSfv || output != null || method != null;
    if (hasMode || hasOther || input.isRelative() || !arguments.isEmpty()) {
      throw session.usage("--hex and --string take -a and --tag only, and no FILE");
    }
    CrcMessages.print(session, input, algorithm.models(), tag);
    return ExitCode.OK;
  }

  /** Checks the options on lists of checksums. */
  private void checkLists(Session session, boolean hasOtherMode) throws IOException {
    if (output != null && InputFiles.isStandardOutput(output)) {
      output = null; // the default
    }
    if (hasOtherMode && (isRecursive || output != null || isSfv && !check)) {
      throw session.usage(
          "-r, -o and --sfv do not apply to --list, --combine, --find and --analyse"
              + (check ? ", nor -r and -o to --check" : ""));
    }
    if (isRecursive && arguments.isEmpty()) {
      throw session.usage("-r needs a FILE or a folder");
    }
    if ((!hasOtherMode || check) && isSfvList(output)) {
      if (tag || cksum || !algorithm.model().equals(CrcOptions.crc32())) {
        throw session.usage("an SFV list has CRC-32 only, and excludes --tag and --cksum");
      }
    }
    if (output != null) {
      InputFiles.requireOther(spec, paths(), output);
      InputFiles.requireWritable(output);
    }
  }

  private boolean isSfvList(@Nullable Path list) {
    return isSfv || list != null && InputFiles.hasEnding(list, SFV);
  }

  private List<Path> paths() {
    return arguments.stream().map(name -> FileNames.of(spec, name)).toList();
  }

  private int list(Session session) {
    if (!algorithm.isDefault()) {
      if (!arguments.isEmpty()) {
        throw session.usage("--list takes names or the options of a CRC, not both");
      }
      CrcListing.Algorithm custom = CrcListing.Algorithm.of(algorithm.model());
      session.printResult(new Algorithms(List.of(custom)), custom::text);
    } else if (arguments.isEmpty()) {
      session.printResult(
          new Algorithms(CrcCatalogue.entries().stream().map(CrcListing.Algorithm::of).toList()),
          CrcListing::catalogue);
    } else {
      List<CrcListing.Algorithm> named =
          arguments.stream().map(name -> CrcListing.Algorithm.of(algorithm.named(name))).toList();
      session.printResult(
          new Algorithms(named),
          () -> String.join("\n", named.stream().map(CrcListing.Algorithm::text).toList()));
    }
    return ExitCode.OK;
  }

  /** The result of {@code --list} as {@code --json} prints it. */
  private record Algorithms(List<CrcListing.Algorithm> algorithms) {}

  private record Combined(String algorithm, String crc) {}

  private int combine(Session session) {
    if (combine.size() < 3) {
      throw session.usage(
          "--combine needs CRC_A CRC_B LENGTH_B, but got only " + String.join(" ", combine));
    }
    refuseFiles(session, "--combine");
    CrcModel model = algorithm.model();
    CrcValue crcA = checksum(model, "checksum A", combine.get(0));
    CrcValue crcB = checksum(model, "checksum B", combine.get(1));
    long length = length(session, combine.get(2));
    CrcValue combined = Crc.of(model).combine(crcA, crcB, length);
    session.printResult(new Combined(model.name(), shown(combined)), () -> shown(combined) + "\n");
    return ExitCode.OK;
  }

  private CrcValue checksum(CrcModel model, String label, String text) {
    if (!isBase64) {
      return algorithm.value(model, label, text);
    }
    try {
      return CrcBase64.parse(model.width(), text);
    } catch (IllegalArgumentException e) {
      throw Converters.usage(spec, label + ": " + e.getMessage());
    }
  }

  private String shown(CrcValue checksum) {
    return isBase64 ? CrcBase64.format(checksum) : checksum.toString();
  }

  private void refuseFiles(Session session, String option) {
    if (!arguments.isEmpty()) {
      throw session.usage(option + " takes no file, but got '" + arguments.getFirst() + "'");
    }
  }

  private static long length(Session session, String text) {
    try {
      long length = new Converters.Size().convert(text);
      if (length >= 0) {
        return length;
      }
    } catch (RuntimeException e) {
      throw session.usage("length B: " + e.getMessage());
    }
    throw session.usage("length B: " + text + " is less than 0");
  }

  /** Runs the mode of an option of {@link CrcDesignOptions}. */
  private int design(Session session, String mode)
      throws IOException, InterruptedException, Failure {
    if (tag || isRecursive || isSfv || strict || isBase64) {
      throw session.usage("--tag, -r, --sfv, --strict and --base64 do not apply to " + mode);
    }
    if (output != null) {
      InputFiles.requireOther(spec, paths(), output);
      InputFiles.requireWritable(InputFiles.target(output));
      session.requireOneOnStandardOutput("-o", InputFiles.isStandardOutput(output));
    }
    if (design.locate != null) {
      locate(session, design.locate);
    } else if (design.force != null) {
      force(session, design.force);
    } else if (design.best != null) {
      requireNoAlgorithm(session, mode);
      refuseFiles(session, mode);
      new CrcBest(session, design).run(design.best, output);
    } else if (design.emit != null) {
      refuseFiles(session, mode);
      new CrcEmit(session, algorithm.model()).run(design.emit, design.bits, output);
    }
    return ExitCode.OK;
  }

  private void locate(Session session, String wanted)
      throws IOException, InterruptedException, Failure {
    if (output != null) {
      throw session.usage("-o does not apply to --locate");
    }
    Path file = onlyFile(session, "--locate");
    CrcModel model = algorithm.model();
    CrcLocate search = new CrcLocate(session, model, algorithm.value(model, "--locate", wanted));
    if (design.errors == null && design.burst == null && design.length == null) {
      search.flippedBit(file, method);
    } else {
      search.patterns(design, file);
    }
  }

  private void force(Session session, String wanted)
      throws IOException, InterruptedException, Failure {
    Path file = onlyFile(session, "--force");
    CrcModel model = algorithm.model();
    new CrcForce(session, model, algorithm.value(model, "--force", wanted), design)
        .run(file, output, method);
  }

  private void requireNoAlgorithm(Session session, String mode) {
    if (!algorithm.isDefault() || method != null) {
      throw session.usage(mode + " excludes --method and the options that select a CRC");
    }
  }

  private Path onlyFile(Session session, String option) {
    if (arguments.size() != 1) {
      throw session.usage(option + " takes one FILE, not " + arguments.size());
    }
    return paths().getFirst();
  }

  private int check(Session session, List<Path> lists)
      throws IOException, InterruptedException, Failure {
    CrcCheck checking =
        new CrcCheck(
            session,
            ignoreMissing,
            status,
            strict,
            warn,
            input.isRelative(),
            isBase64,
            this::isSfvList);
    checking.run(lists, algorithm.model(), method);
    return ExitCode.OK;
  }

  /** The values of {@code --method}. */
  static final class CrcMethods extends MethodNames {
    CrcMethods() {
      super(engine -> Crc.methods(CrcCatalogue.model("CRC-32"), engine));
    }
  }

  private record Checksum(String file, String algorithm, String crc, long bytes) {}

  private record Checksums(String algorithm, List<Checksum> files) {}

  private int print(Session session, List<Path> arguments)
      throws IOException, InterruptedException, Failure {
    List<CrcModel> models = cksum ? List.of(cksumModel(session)) : algorithm.models();
    List<String> problems = Collections.synchronizedList(new ArrayList<>());
    List<Path> paths = isRecursive ? inFolders(session, arguments, problems) : arguments;
    List<Checksum> done = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    boolean inSfv = isSfvList(output);
    try (CrcFiles files = new CrcFiles(session, method)) {
      Consumer<String> printing =
          output != null
              ? line -> lines.append(line).append('\n')
              : session.isJson() ? _ -> {} : files::println;
      if (inSfv) {
        printing.accept(CrcLine.SFV_COMMENT + " CRC-32 of each file, by Fieldstone");
      }
      files.hash(
          models,
          paths,
          (model, hash) -> {
            if (hash instanceof FileHash.Hashed hashed) {
              if (inSfv && !CrcLine.fitsSfv(hashed.path())) {
                String problem =
                    "a name with a line break or a space at its end cannot be in an SFV list: "
                        + hashed.path();
                problems.add(problem);
                files.warn(problem);
                return;
              }
              CrcValue shown = cksum ? withLength(model, hashed) : hashed.checksum();
              done.add(
                  new Checksum(
                      hashed.path().toString(), model.name(), shown(shown), hashed.length()));
              printing.accept(line(model, shown, hashed, models.size() > 1));
            } else if (hash instanceof FileHash.Unreadable unreadable) {
              problems.add(files.explain(unreadable));
            }
          });
    }
    if (output != null && strict && !problems.isEmpty()) {
      session.warn("not written, because a file is missing in it: " + output);
    } else if (output != null) {
      if (!problems.isEmpty()) {
        session.warn("%d not in the list: %s".formatted(problems.size(), output));
      }
      OutputText.write(output, lines.toString().getBytes(session.streams().out().charset()));
    }
    session.print(
        new Checksums(String.join(", ", models.stream().map(CrcModel::name).toList()), done),
        () -> "");
    if (!problems.isEmpty()) {
      throw Failure.reported(
          "%d failed, the first one".formatted(problems.size()), problems.getFirst());
    }
    return ExitCode.OK;
  }

  /** Returns the files in folders, without the list that this command writes. */
  private List<Path> inFolders(Session session, List<Path> paths, List<String> problems)
      throws IOException {
    FileTree tree =
        new FileTree(e -> {
          problems.add(ErrorLine.of(e));
          session.streams().err().println(ErrorLine.failure(ErrorLine.of(e)));
        });
    paths.forEach(tree::add);
    if (output == null || !Files.exists(output)) {
      return tree.files();
    }
    List<Path> others = new ArrayList<>();
    for (Path file : tree.files()) {
      if (!Files.exists(file) || !Files.isSameFile(file, output)) {
        others.add(file);
      }
    }
    return others;
  }

  private CrcModel cksumModel(Session session) {
    if (!algorithm.isDefault()) {
      throw session.usage("--cksum excludes the options that select a CRC");
    }
    return CrcCatalogue.model("CRC-32/CKSUM");
  }

  private String line(CrcModel model, CrcValue shown, FileHash.Hashed hashed, boolean hasSeveral) {
    if (cksum) {
      String name = arguments.isEmpty() ? "" : " " + hashed.path();
      return shown.toLong() + " " + hashed.length() + name;
    }
    CrcLine line = new CrcLine(model, shown, listed(hashed.path()));
    if (isSfvList(output)) {
      return line.sfv();
    }
    return isBase64 ? line.base64() : tag || hasSeveral ? line.tagged() : line.gnu();
  }

  /** Returns the name of a file in the list. */
  private Path listed(Path file) {
    if (output == null || !input.isRelative() || InputFiles.isStandardStream(file)) {
      return file;
    }
    Path list = output.toAbsolutePath().normalize();
    Path folder = list.getParent();
    return folder == null ? file : folder.relativize(file.toAbsolutePath().normalize());
  }

  /** Appends the length as POSIX cksum does: in the fewest octets, least significant first. */
  private static CrcValue withLength(CrcModel model, FileHash.Hashed hashed) {
    int octets = Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(hashed.length()), Byte.SIZE);
    byte[] length = new byte[octets];
    for (int i = 0; i < octets; i++) {
      length[i] = (byte) (hashed.length() >>> i * Byte.SIZE);
    }
    Crc crc = Crc.of(model);
    return crc.combine(hashed.checksum(), crc.hash(length), octets);
  }
}
