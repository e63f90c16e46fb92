package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.engine.checksums.Checksums;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class UsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "encode x -o d --generation 0 | --generation 0 is not in 1…4096",
        "encode x -o d --generation 5000 | --generation 5000 is not in 1…4096",
        "encode x -o d --block-size 3G | --block-size 3221225472 is not in 1…16777216 (16.0 MiB)",
        "encode x -o d --block-size 1.5K | '1.5K' is not a size, such as 4096, 64KiB, 4K or 1G",
        "encode x -o d --redundancy -0.5 | --redundancy -0.5 is less than 0",
        "encode x -o d --redundancy NaN | --redundancy NaN is less than 0",
        "encode x -o d --redundancy many | 'many' is neither a number nor a percentage",
        "encode x -o d --shards 0 | --shards 0 is not in 1…1000",
        "encode x -o d --code rot13 | --code: no value 'rot13'; there are: dense, systematic,"
            + " sparse",
        "encode x -o d --density 0 | --density 0 is not in (0, 1]",
        "encode x -o d --density 0.5 | --density needs --code sparse",
        "encode x -o d --density 0.5 --code dense | --density needs --code sparse",
        "encode x -o d --density 0.5 --any 2 --of 3 | --density needs --code sparse",
        "encode x -o d --seed 0xzz | '0xzz' is not a 64-bit integer",
        "encode x -o d --threads 0 | --threads 0 is not in 1…4096",
        "encode x -o d --redundancy 1e9 | --redundancy 1.0E9 is not in [0, 8191.0]",
        "encode x -o d --generation 4096 --block-size 16M | bytes of a coded generation",
        "encode x | '--output=DIR'",
        "encode -o d | 'FILE'",
        "encode x y -o d | unexpected argument 'y'",
        "encode x -o d --frobnicate | unknown option '--frobnicate'",
        "encode -dash.txt | unknown option '-dash.txt'; for a file, write ./-dash.txt or --"
            + " -dash.txt",
        "encode --frobnicate -o d | unknown option '--frobnicate'",
        "encode -o d --code sparse --frobnicate | unknown option '--frobnicate'",
        "inspect -dash.fst | unknown option '-dash.fst'; for a file, write ./-dash.fst",
        "sort -1.bin --type u32 | unknown option '-1.bin'; for a file, write ./-1.bin",
        "key show -film.key | unknown option '-film.key'; for a file, write ./-film.key",
        "devices -x.txt | unknown option '-x.txt'",
        "recode x -o y --blocks 0 | --blocks 0 is not in 1…1048576",
        "recode x -o y --shard 1 --blocks 2 | --shard determines --blocks",
        "recode x -o y --shard 1 --seed 2 | --shard determines --seed",
        "crc --width 0 --poly 1 x | --width 0 is not in 1…128",
        "crc --width 129 --poly 1 x | --width 129 is not in 1…128",
        "crc --width 8 --poly 0x107 x | --poly: 0x107 has more than 8 bits",
        "crc --width 8 --poly 0x06 x | --poly: polynomial 0x06 is even",
        "crc --width 8 --poly seven x | --poly: 'seven' is not a hexadecimal number",
        "crc --width 8 x | needs --width and --poly",
        "crc --init 0 x | needs --width and --poly",
        "crc -a CRC-8 --width 8 --poly 7 x | --algorithm excludes",
        "crc --width 8 --poly 07 --notation koopman x | --poly: 0x07 is not a polynomial of degree"
            + " 8",
        "crc --width 8 --poly 7 --notation dutch x | 'dutch'",
        "crc --width 8 --poly 7 --xorout 100 x | --xorout: 0x100 has more than 8 bits",
        "crc --method magic x | --method: ",
        "crc --combine 1 2 | --combine needs CRC_A CRC_B LENGTH_B, but got only 1 2",
        "crc --combine | (CRC_A CRC_B LENGTH_B)",
        "crc --combine 1 2 -3 | length B: '-3' is not a size",
        "crc --combine 1ffffffff 2 3 | checksum A: 0x1ffffffff has more than 32 bits",
        "crc --combine 1 2 3 x | --combine takes no file, but got 'x'",
        "crc --locate 1 x y | --locate takes one FILE, not 2",
        "crc --locate xyz x | --locate: 'xyz' is not a hexadecimal number",
        "crc --check --list x | exclude each other",
        "crc --locate 1 --force 1 x | exclude each other",
        "crc --force 1 x | --force needs --at OFFSET",
        "crc --force 1 --at 1 x y | --force takes one FILE, not 2",
        "crc --force 123456789 --at 1 x | --force: 0x123456789 has more than 32 bits",
        "crc --force 1 --at 1 --in-place -o pom.copy x | --in-place excludes -o",
        "crc --force 1 --at 1000000 pom.xml | --at 1000000: 4 bytes are replaced",
        "crc --at 1 x | --at needs --force",
        "crc --emit cobol | 'cobol'",
        "crc --emit c --bits 24 | --emit: 24 bits a step",
        "crc --emit c -a CRC-82/DARC | --emit: programs in c have registers of up to 64 bits",
        "crc --bits 8 x | --bits needs --emit",
        "crc --base64 --tag x | --base64 excludes --tag",
        "crc --base64 --combine AAA= AAAAAA== 5 | checksum A: 'AAA=' has 2 bytes",
        "crc --base64 --combine !! AAAAAA== 5 | checksum A: '!!' is not base64",
        "crc --base64 --combine y/Q5Jg==-3 AAAAAA== 5 | checksum A: 'y/Q5Jg==-3' is S3's checksum"
            + " of",
        "crc --best 8 | --best needs --length BITS",
        "crc --best 8 --length 10 --hd 20 | --best: HD 20 is impossible with 8 bits",
        "crc --best 8 --length 248 | --best: no polynomial of width 8 has more than HD 2 at 248"
            + " bits",
        "crc --best 41 --length 248 | --best: width 41 is not in 3…40",
        "crc --best 8 --length 10 x | --best takes no file, but got 'x'",
        "crc --best 8 --length 10 -a CRC-8 | --best excludes --method and the options",
        "crc --best 8 --length 10 --plan --resume y | --plan excludes -o and --resume",
        "crc --hd 6 x | --hd needs --best",
        "crc --length 6 x | --length needs --locate, --analyse or --best",
        "crc --errors 2 x | --errors needs --locate",
        "crc --locate 1 --errors 3 pom.xml | --errors 3 is not in 1…2",
        "crc --locate 1 --burst 33 pom.xml | --burst 33 is not in 1…32",
        "crc --locate 1 --length 10000000 pom.xml | --length 10000000 is not in 0…",
        "crc --locate 1 -r pom.xml | do not apply to --locate",
        "crc --find --list x | exclude each other",
        "crc --find --analyse x | --find and --analyse exclude each other",
        "crc --columns a,b x | --columns needs --find",
        "crc --find --columns a,b,c x | --columns takes 1 or 2 names, not 3",
        "crc --analyse --length 0 | --length 0 is less than 1",
        "crc --analyse --bit-error 0.1 | --bit-error and --curve need --analyse and --length",
        "crc --analyse --length 8 --bit-error 2 | --bit-error 2.0 is not in 0…0.5",
        "crc --analyse CRC-8 CRC-16/ARC | --analyse takes one ALGORITHM",
        "crc --strict x | --strict needs --check or -o LIST",
        "crc --list -a CRC-8 CRC-16/ARC | --list takes names or the options of a CRC, not both",
        "crc --check --sfv -a CRC-8 x | an SFV list has CRC-32 only",
        "crc --cksum -a CRC-8 x | --cksum excludes the options that select a CRC",
        "weights bch:127,23 | 22",
        "weights bch:128,22 | 128",
        "weights golay:25 | length of a Golay code 25 is not in 23…24",
        "weights cyclic:7,5 | polynomial 0x5 does not divide x^7 - 1",
        "weights hamming:3 --plan | need --joint",
        "weights hamming:3 --parity-check | --parity-check needs a file",
        "weights hamming:3 --reduce | --reduce needs a file, but 'hamming:3' is a name",
        "weights hamming:3 --joint --method luck | --method: no method 'luck'",
        "weights hamming:3 --bit-error 2 | --bit-error 2.0 is not in 0…1",
        "weights hamming:3 --joint --bit-errors 1,0,0 | --bit-errors takes 4 probabilities",
        "weights hamming:3 --joint --bit-errors 1,1,0,0 | --bit-errors: probabilities sum to 2.0",
        "relays x | '--range=R'",
        "relays --range 5 | no SENSORS",
        "relays x --range far | 'far' is not a number",
        "relays x --range 5d | '5d' is not a number",
        "relays x --range 0x1p3 | '0x1p3' is not a number",
        "relays x --range 0 | --range 0 is not positive and finite",
        "relays x --range -3 | --range -3 is not positive and finite",
        "relays x --range NaN | --range NaN is not positive and finite",
        "relays x --range Infinity | --range Infinity is not positive and finite",
        "relays x --range 5 -o plan.txt | -o plan.txt ends neither in .geojson nor in .csv",
        "relays x --range 5 --map map.jpg | --map map.jpg ends neither in .svg nor in .png",
        "relays x --range 5 --map - | --map - ends neither in .svg nor in .png",
        "relays x --range 5 --map /dev/stdout | --map /dev/stdout ends neither in .svg nor in",
        "relays x --range 5 -o - --json | both write to standard output",
        "relays x --range 5 --count -o p.csv | --count makes no plan",
        "relays x --range 5 --no-count --stars s | --no-count excludes",
        "relays x --range 5 --sites y --plan-method tree | --sites excludes --plan-method",
        "relays - --range 5 --sites - | standard input can be only one of SENSORS, --sites and"
            + " --existing",
        "relays x --range 5 --plan-method luck | 'luck'",
        "relays x --range 5 --columns east | --columns 'east' does not name two columns",
        "relays x --range 5 --columns x,x | --columns 'x,x' does not name two columns",
        "relays x --range 5 --columns x,y,z | --columns 'x,y,z' does not name two columns",
        "relays x --range 5 --rule of-thumb | 'of-thumb'",
        "sort x -o y --type u16 | --type: no value 'u16'; there are: u32, i32, u64, i64, f32, f64",
        "sort x -o y | '--type=TYPE'",
        "sort x --type u32 | missing required option: '--output=OUT' (or --check)",
        "sort --type u32 -o y | 'IN'",
        "sort x -o y --type u32 --payload 17M | --payload 17825792 is not in 0…16777216 (16.0 MiB)",
        "sort x -o y --type u32 --payload -1 | '-1' is not a size",
        "sort x -o y --type u32 --order up | 'up'",
        "sort x -o y --type u32 --memory lots | 'lots' is not a size",
        "sort x --check -o y --type u32 | --check excludes the options of sorting, and -o",
        "sort x --check --verify --type u32 | --check excludes the options of sorting, and -o",
        "sort x --check --temp y --type u32 | --check excludes the options of sorting, and -o",
        "encode x -o - | the output must be a folder, not standard output",
        "protect x -o - | the output must be a folder, not standard output",
        "key signing -o - --json | --json and -o - both write to standard output",
        "encode x -o y --redundancy 1o% | '1o%' is neither a number nor a percentage",
        "demo --loss 1 | --loss 1 is not in [0, 1)",
        "demo --loss -0.1 | --loss -0.1 is not in [0, 1)",
        "demo --loss NaN | --loss NaN is not in [0, 1)",
        "demo --receivers 0 | --receivers 0 is not in 1…256",
        "demo --relays -1 | --relays -1 is not in 0…32",
        "demo --plot x.svg | --generation and --plot need --delay",
        "demo x --delay | --delay takes no file, --evil",
        "demo --delay --evil | --delay takes no file, --evil",
        "demo --delay --size 1 | --delay takes no file, --evil",
        "demo x --size 1 | --size is for generated data, not for 'x'",
        "encode x --name y -o z | --name is for standard input, not for 'x'",
        "demo --delay --generation 0 | --generation 0 is not in 1…512",
        "demo --size 2T | --size 2199023255552 is not in 0…1099511627776 (1.0 TiB)",
        "demo --engine abacus --size 1 | --engine: no engine 'abacus'",
        "serve | 'PATH'",
        "serve x --listen host:x | 'host:x' is not HOST:PORT with a port in 0…65535",
        "serve x --listen ::1:5 | '::1:5' is not HOST:PORT",
        "serve x --rate 5 | '5' is not a rate, such as 40Mbit, 1.5Gbit or 10MB",
        "serve x --memory 1K | --memory 1024 is not in 1048576…",
        "serve x --block-size 9000 | --block-size 9000 is not in 1…8192",
        "serve x --cc reno | 'reno'",
        "fetch x -o y | '--from=HOST[:PORT]'",
        "fetch x --from a:1 | missing -o with the output file or folder",
        "fetch --from a:1 -o y | missing NAME, ID or FOLDER/",
        "fetch --list --from a:1 -o y | --list fetches nothing, so it has no -o",
        "fetch x --from a:b -o y | 'a:b' is not HOST:PORT",
        "fetch x --from ::1 -o y | '::1' is not HOST:PORT",
        "fetch x --from a:1 -o y --trust md5:0 | --trust: fingerprint 'md5:0'",
        "fetch x --from a:1 -o - --json | both write to standard output",
        "fetch x --from a:1 -o y --patience 0 | --patience 0 is not in [0.001, 1000000)",
        "devices --threads 1e3 | '1e3' is not an integer",
        "devices --threads 99999999999999999999 | does not fit in 64 bits",
        "devices @pom.xml | unexpected argument '@pom.xml'",
        "devices --engine abacus | --engine: no engine 'abacus'",
        "crc --list CRC-99 | no CRC algorithm 'CRC-99' in the catalogue",
        "crc -a CRC-99/NONE x | no CRC algorithm 'CRC-99/NONE' in the catalogue",
        "help brew | no command 'brew'; there are: demo, encode, decode,",
        "help crc now | unexpected argument 'now'",
        "key steal | no command 'steal'; there are: encryption, signing, show",
        "brew | no command 'brew'; there are: demo, encode, decode,",
        "--brew | unknown option '--brew'",
      })
  void namesTheValueAndItsBound(String line, String message) {
    RunOf run = RunOf.fieldstone(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out().isEmpty()).isEqualTo(!line.contains("--json"));
    assertThat(run.err()).startsWith("fieldstone: ").contains(message);
    assertThat(run.err().lines()).hasSize(2);
    assertThat(run.err().lines().toList().getLast()).matches("see 'fieldstone.* --help'");
  }

  /** A suggestion is the only line. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "encod x | no command 'encod'; did you mean 'encode'?",
        "dec x | no command 'dec'; did you mean 'decode'?",
        "help recoed | no command 'recoed'; did you mean 'recode'?",
        "key sining | no command 'sining'; did you mean 'signing'?",
        "encode x -o d --redundency 1 | unknown option '--redundency'; did you mean"
            + " '--redundancy'?",
        "encode x -o d -theads 2 | unknown option '-theads'; did you mean '--threads'?",
        "--verison | unknown option '--verison'; did you mean '--version'?",
        "encode x -o d --code sistematic | --code: no value 'sistematic'; did you mean"
            + " 'systematic'?",
        "sort x -o y --type uu32 | --type: no value 'uu32'; did you mean 'u32'?",
        "sort x -o y --type u32 --order ascending | --order: no value 'ascending'; did you mean"
            + " 'asc'?",
        "crc -a CRC-32X x | no CRC algorithm 'CRC-32X'; did you mean 'CRC-32",
        "crc --method slicing8 pom.xml | --method: no method 'slicing8' for",
        "relays x --range 5 --rule enclosed | --rule: no value 'enclosed'; did you mean"
            + " 'enclosing'?",
        "sort x -o y --type u23 | --type: no value 'u23'; did you mean 'u32'?",
        "devices --engine cpu:vectr | --engine: no engine 'cpu:vectr'; did you mean 'cpu:vector'?",
        "weights gollay:24 | no code 'gollay:24'; did you mean 'golay:24'?",
        "weights dual:rn:1,4 | no code 'rn:1,4'; did you mean 'rm:1,4'?",
        "serve x --cc cubik | --cc: no value 'cubik'; did you mean 'cubic'?",
        "weights hamming:3 --joint --method cyclik | --method: no method 'cyclik' for joint"
            + " weights; did you mean 'cyclic'?",
      })
  void aMisspeltWordIsAnsweredByTheRightOneInOneLine(String line, String message) {
    RunOf run = RunOf.fieldstone(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("fieldstone: " + message).endsWith("?\n").hasLineCount(1);
    assertThat(run.err()).hasSizeLessThan(120);
  }

  @Test
  void helpShowsTheHelpOfACommand() {
    assertThat(RunOf.fieldstone("help")).isEqualTo(RunOf.fieldstone("--help"));
    assertThat(RunOf.fieldstone("help", "crc")).isEqualTo(RunOf.fieldstone("crc", "--help"));
    assertThat(RunOf.fieldstone("help", "key", "show"))
        .isEqualTo(RunOf.fieldstone("key", "show", "--help"));
    assertThat(RunOf.fieldstone("help", "crc").out()).startsWith("Usage: fieldstone crc");
  }

  @Test
  void helpCompletesTheCommandsThatAreNotHidden() {
    CommandLine command = Main.commandLine(new Main(Streams.system()));

    assertThat(new HelpCommand.Names())
        .containsExactlyElementsOf(Main.visibleCommands(command))
        .contains("help")
        .doesNotContain(TrainCommand.NAME);
  }

  @Command(name = "divide")
  private static final class PortlessCommand implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new MissingPortException("counter", Checksums.class);
    }
  }

  @Test
  void anEngineWithoutThePortOfAJobIsAUsageError() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    OutputStream none = OutputStream.nullOutputStream();
    Main main =
        new Main(
            new Streams(
                InputStream.nullInputStream(),
                none,
                new PrintStream(none),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Tty.NONE));
    CommandLine command = Main.commandLine(main).addSubcommand(new PortlessCommand());

    assertThat(command.execute("divide")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("fieldstone: --engine: engine 'counter' has no port Checksums\n");
  }

  /** Returns the command, its commands and theirs, without hidden ones. */
  static List<CommandLine> allCommands() {
    List<CommandLine> all = new ArrayList<>();
    addCommands(Main.commandLine(new Main(Streams.system())), all);
    return all;
  }

  private static void addCommands(CommandLine command, List<CommandLine> all) {
    all.add(command);
    for (String name : Main.visibleCommands(command)) {
      addCommands(command.getSubcommands().get(name), all);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"crc ", "weights ", "sort --type u32 -o x ", "encode x -o ", "inspect "})
  void refusesEmptyNames(String line) {
    RunOf run = RunOf.fieldstone(line.split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("empty file name").hasLineCount(2);
  }

  @Test
  void listsTheCommandsIfNoneIsGiven() {
    RunOf run = RunOf.fieldstone();

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("fieldstone: no command given; there are: demo, encode");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "encode",
        "decode",
        "recode",
        "inspect",
        "crc",
        "weights",
        "relays",
        "sort",
        "devices",
        "completion",
        "help",
        "serve",
        "relay",
        "fetch",
        "stream",
        "stream send",
        "stream receive",
        "key",
        "key encryption",
        "key signing",
        "key show"
      })
  void helpFitsATerminalAndHasAnExample(String command) {
    RunOf run = RunOf.fieldstone((command + " --help").strip().split(" "));

    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("Usage: fieldstone").contains("Example", "  fieldstone ");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    String examples = run.out().substring(run.out().indexOf("\nExample"));
    assertThat(examples.lines().skip(2))
        .allMatch(line -> line.isEmpty() || line.startsWith("  ") || line.endsWith(":"));
  }

  @Test
  void sharedOptionsGoBeforeTheCommandOrAfterIt() {
    assertThat(RunOf.fieldstone("--json", "demo", "--size", "0").out()).startsWith("{");
    assertThat(RunOf.fieldstone("demo", "--size", "0", "--json").out()).startsWith("{");
    assertThat(RunOf.fieldstone("demo", "--size", "0", "-q").out()).isEmpty();
  }

  @Test
  void threadsAreAFewForEachProcessor() {
    int processors = Runtime.getRuntime().availableProcessors();

    assertThat(RunOf.fieldstone("devices", "--engine", "cpu:scalar", "--threads", "4096").out())
        .contains(", " + 8 * processors + " threads");
    assertThat(RunOf.fieldstone("devices", "--engine", "cpu:scalar", "--threads", "2").out())
        .contains(", 2 threads");
  }

  @Test
  void completionHasEveryCommand() {
    RunOf run = RunOf.fieldstone("completion");

    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("encode", "inspect", "--redundancy", "complete -F");
  }

  /** The completion script keeps the values of an option under its label. */
  @Test
  void optionsWithValuesToCompleteHaveLabelsOfTheirOwn() {
    CommandLine command = Main.commandLine(new Main(Streams.system()));
    assertThat(command.getSubcommands()).hasSizeGreaterThan(10);
    for (CommandLine subcommand : command.getSubcommands().values()) {
      assertThat(
              subcommand.getCommandSpec().args().stream()
                  .filter(each -> each.completionCandidates() != null)
                  .map(CommandLine.Model.ArgSpec::paramLabel))
          .doesNotHaveDuplicates();
    }
  }

  /** The first argument selects the only command that is parsed; its help names it so. */
  @Test
  void eachCommandIsFoundByItsName() {
    for (Map.Entry<String, Class<?>> command : Commands.all().entrySet()) {
      assertThat(command.getValue().getAnnotation(Command.class).name())
          .isEqualTo(command.getKey());
      assertThat(RunOf.fieldstone(command.getKey(), "--help").out())
          .contains("fieldstone " + command.getKey());
    }
    CommandLine one = Main.commandLine(new Main(Streams.system()), "crc", "file");
    assertThat(one.getSubcommands()).containsOnlyKeys("crc");
  }

  @Test
  void commonOptionsMayComeBeforeTheCommand() {
    assertThat(RunOf.fieldstone("--threads", "2", "devices", "--engine", "cpu:scalar").out())
        .contains(", 2 threads");
  }

  /** The commands run by the training are real, so they must succeed. */
  @ParameterizedTest
  @ValueSource(strings = {"files", "network"})
  void trainingSucceeds(String cached) {
    assertThat(RunOf.fieldstone("train", cached)).isEqualTo(new RunOf(0, "", ""));
  }

  @Test
  void trainingIsNotShown() {
    assertThat(RunOf.fieldstone("--help").out()).contains("decode").doesNotContain("train");
    assertThat(RunOf.fieldstone("no-such").err()).contains("decode").doesNotContain("train");
    assertThat(RunOf.fieldstone("completion").out()).doesNotContain("train");
  }

  @Test
  void onlyVerboseShowsTheStackTrace() {
    assertThat(RunOf.fieldstone("inspect", "no-such").err())
        .isEqualTo("fieldstone: no such file or directory: no-such\n");
    assertThat(RunOf.fieldstone("inspect", "no-such", "--verbose").err())
        .startsWith("fieldstone: no such file or directory: no-such\n")
        .contains("\tat io.fieldstone.cli.");
  }
}
