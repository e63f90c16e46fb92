package io.fieldstone.crc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.crc.design.PolynomialSearch;
import io.fieldstone.crc.design.SearchGoal;
import io.fieldstone.crc.design.SearchResult;
import io.fieldstone.crc.detection.HammingProfile;
import io.fieldstone.crc.detection.UndetectedErrors;
import io.fieldstone.crc.emit.EmittedCode;
import io.fieldstone.crc.emit.EmittedLanguage;
import io.fieldstone.crc.identification.CrcIdentifier;
import io.fieldstone.crc.identification.Finding;
import io.fieldstone.crc.identification.Sample;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/crc.md, between the markers, kept running. */
class CrcPageExamplesTest {

  private static final Pattern EXAMPLE =
      Pattern.compile("    // docs begin\n(.*?)\n    // docs end\n", Pattern.DOTALL);

  private static final byte[] DIGITS = "123456789".getBytes(US_ASCII);

  @TempDir Path folder;

  /** Maven runs the tests of a module in its folder. */
  @Test
  void examplesEqualThoseOfThePage() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/fieldstone/crc/CrcPageExamplesTest.java"));
    String page = Files.readString(Path.of("../docs/crc.md"));
    List<String> examples = new ArrayList<>();
    Matcher matcher = EXAMPLE.matcher(source);
    while (matcher.find()) {
      examples.add("```java\n" + matcher.group(1).stripIndent() + "\n```\n");
    }
    assertThat(examples).hasSize(9).allSatisfy(example -> assertThat(page).contains(example));
  }

  @Test
  void bytesAtOnce() {
    byte[] message = DIGITS;
    // docs begin
    Crc crc = Crc.of(CrcCatalogue.model("CRC-64/XZ")); // keep it: threads may share it for hash
    CrcValue checksum = crc.hash(message); // a byte[] or a MemorySegment, on the heap or off it
    String hex = checksum.toString(); // 995dc9bbdf1939fa for "123456789"
    long bits = checksum.toLong();
    // docs end
    assertThat(hex).isEqualTo("995dc9bbdf1939fa").isEqualTo(Long.toHexString(bits));
  }

  @Test
  void bytesAsTheyCome() throws IOException {
    Path path = Files.write(folder.resolve("film.mkv"), DIGITS);
    CRC32C expected = new CRC32C();
    expected.update(DIGITS);
    // docs begin
    Checksum checksum = Crc.of(CrcCatalogue.model("CRC-32C"));
    try (InputStream in = new CheckedInputStream(Files.newInputStream(path), checksum)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    long value = checksum.getValue();
    // docs end
    assertThat(value).isEqualTo(expected.getValue());
  }

  @Test
  void aFile() throws IOException, InterruptedException {
    Path path = Files.write(folder.resolve("film.mkv"), DIGITS);
    CrcModel model = CrcCatalogue.model("CRC-32C");
    // docs begin
    try (FileChannel file = FileChannel.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
      CrcValue mapped = Crc.of(model).hash(bytes);
      try (Engine engine = Engine.open("cpu"); // all cores
          FileHasher hasher = new FileHasher(model, engine, 8)) { // threads
        FileHash.Hashed hashed = hasher.hash(path, _ -> {});
        assert hashed.checksum().equals(mapped);
      }
    }
    // docs end
  }

  @Test
  void partsOfAMessage() {
    CRC32 expected = new CRC32();
    expected.update(DIGITS);
    byte[] head = "12345".getBytes(US_ASCII);
    byte[] tail = "6789".getBytes(US_ASCII);
    // docs begin
    Crc crc = Crc.of(CrcCatalogue.model("CRC-32"));
    CrcValue whole = crc.combine(crc.hash(head), crc.hash(tail), tail.length);
    CrcValue emptyDisk = crc.zeros(1L << 40); // 1 TiB of zeros, in microseconds
    // docs end
    assertThat(whole.toLong()).isEqualTo(expected.getValue());
    assertThat(emptyDisk)
        .isEqualTo(crc.combine(crc.zeros(1L << 39), crc.zeros(1L << 39), 1L << 39));
  }

  @Test
  void aModelOfOnesOwn() {
    // docs begin
    CrcValue poly = CrcNotation.KOOPMAN.toNormal(CrcValue.parse(32, "0x82608EDB"));
    CrcModel model =
        CrcModel.of("mine", poly) // poly in normal notation, 0x04C11DB7
            .withInit(CrcValue.ones(32))
            .withReflection(true, true)
            .withXorout(CrcValue.ones(32));
    // docs end
    assertThat(model.check()).isEqualTo(CrcCatalogue.model("CRC-32").check());
  }

  @Test
  void manyMessages() {
    int count = 1000;
    byte[] random = new byte[count * 1500];
    new Random(1).nextBytes(random);
    CrcModel model = CrcCatalogue.model("CRC-64/XZ");
    // docs begin
    try (Engine engine = Engine.open("auto");
        HostMemory packets = engine.allocateHost(count * 1500L); // pinned, if there is a GPU
        HostMemory checksums = engine.allocateHost(count * 8L)) { // a long each
      packets.segment().copyFrom(MemorySegment.ofArray(random));
      Crc crc = Crc.of(model, engine);
      Extents each = Extents.equal(count, 0, 1500, 1500); // or listed, with offsets and lengths
      crc.hash(packets.segment(), each, checksums.segment());
      try (ResidentBytes resident = engine.loadBytes(packets.segment())) { // crosses the bus once
        crc.hash(resident, each, checksums.segment());
        long first = checksums.segment().get(ValueLayout.JAVA_LONG, 0);
        assert first == crc.hash(resident, 0, 1500).toLong();
      }
    }
    // docs end
  }

  @Test
  void anErrorFound() {
    byte[] message = DIGITS.clone();
    message[4] ^= 0x20;
    // docs begin
    CrcModel model = CrcCatalogue.model("CRC-32");
    Crc crc = Crc.of(model);
    CrcValue expected = CrcValue.parse(32, "0xcbf43926");
    Syndromes syndromes = Syndromes.of(model);
    List<BitError> errors =
        syndromes.findBitErrors(expected, crc.hash(message), message.length, 8); // most to list
    message[(int) errors.getFirst().offset()] ^= errors.getFirst().mask(); // set right

    message[0] = 'X'; // four bytes elsewhere make up for it
    byte[] patch = syndromes.patch(crc, MemorySegment.ofArray(message), 5, expected);
    System.arraycopy(patch, 0, message, 5, patch.length);
    // docs end
    assertThat(errors).containsExactly(new BitError(4, 5));
    assertThat(crc.hash(message)).isEqualTo(expected);
  }

  @Test
  void whichAndHowGood() {
    Crc crc = Crc.of(CrcCatalogue.model("CRC-16/XMODEM"));
    byte[] first = "first message".getBytes(US_ASCII);
    byte[] second = "other message".getBytes(US_ASCII);
    byte[] third = "third letters".getBytes(US_ASCII);
    // docs begin
    List<Sample> samples =
        List.of(
            Sample.of(1, first, crc.hash(first)),
            Sample.of(2, second, crc.hash(second)),
            Sample.of(3, third, crc.hash(third)));
    if (CrcIdentifier.create().identify(samples) instanceof Finding.Found found) {
      CrcModel model = found.best().model();
      long hd4 = HammingProfile.of(model.poly(), 4, 1L << 32).maxBits(4); // 32751 for CRC-16/XMODEM
      double missed = UndetectedErrors.of(model.poly(), 48).probability(1e-3);
    }
    // docs end
    Finding.Found found = (Finding.Found) CrcIdentifier.create().identify(samples);
    assertThat(found.best().model()).isEqualTo(crc.model());
  }

  @Test
  void theBestPolynomial() throws IOException, InterruptedException {
    // docs begin
    SearchGoal goal = new SearchGoal(12, 27, OptionalInt.of(6)); // HD 6 for messages of 27 bits
    Engine engine = Engine.open("cpu"); // or a GPU; close it
    SearchResult result = PolynomialSearch.of(goal, engine).run((examined, total) -> {});
    CrcModel best = CrcModel.of("best", result.found().getFirst().poly());
    EmittedCode code = EmittedCode.of(best, EmittedLanguage.VERILOG, 32); // code.text()
    // docs end
    engine.close();
    assertThat(result.found().getFirst().distance()).isEqualTo(6);
    assertThat(code.text()).contains("module best (");
  }
}
