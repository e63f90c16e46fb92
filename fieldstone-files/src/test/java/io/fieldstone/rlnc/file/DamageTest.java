package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.testing.TestLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged and hostile shards give the correct file or an exception with the reason. */
@Timeout(120) // A reader that hangs on bad input must fail; all tests are short.
class DamageTest {

  private static final int CASES_EACH = 250 / TestLength.oneIn(5);

  private static Engine engine;

  @TempDir private static Path directory;

  private static byte[] content;
  private static List<Path> plain;
  private static List<Path> withVectors;

  @BeforeAll
  static void encode() throws Exception {
    engine = Engine.open("auto");
    content = new byte[3 * 4 * 32 + 17];
    new Random(1).nextBytes(content);
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 32);
    plain =
        new FileEncoder(engine, new EncodingParameters(shape, 3, 1.25, 3))
            .encode(new ByteArrayInputStream(content), "data", directory, ProgressListener.NONE)
            .shards();
    Path first = recode(plain, "first", 1);
    withVectors = List.of(first, recode(List.of(first), "second", 2));
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static Path recode(List<Path> shards, String name, long seed) throws Exception {
    return new ShardRecoder(engine)
        .recode(shards, directory.resolve(name), 6, seed, ProgressListener.NONE)
        .shard();
  }

  /** One way of damaging a file. */
  private enum Damage {
    FLIP_A_BIT {
      @Override
      byte[] apply(byte[] file, Random random) {
        file[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
        return file;
      }
    },
    FLIP_IN_THE_HEADER {
      @Override
      byte[] apply(byte[] file, Random random) {
        file[random.nextInt(128)] ^= (byte) (1 + random.nextInt(255));
        return file;
      }
    },
    TRUNCATE {
      @Override
      byte[] apply(byte[] file, Random random) {
        return Arrays.copyOf(file, random.nextInt(file.length));
      }
    },
    EXTEND {
      @Override
      byte[] apply(byte[] file, Random random) {
        byte[] longer = Arrays.copyOf(file, file.length + 1 + random.nextInt(500));
        for (int at = file.length; at < longer.length; at++) {
          longer[at] = (byte) random.nextInt();
        }
        return longer;
      }
    },
    OVERWRITE_A_RANGE {
      @Override
      byte[] apply(byte[] file, Random random) {
        byte[] noise = new byte[1 + random.nextInt(200)];
        random.nextBytes(noise);
        int at = random.nextInt(file.length);
        System.arraycopy(noise, 0, file, at, Math.min(noise.length, file.length - at));
        return file;
      }
    },
    CUT_BYTES_OUT {
      @Override
      byte[] apply(byte[] file, Random random) {
        int at = random.nextInt(file.length);
        int cut = Math.min(1 + random.nextInt(50), file.length - at);
        byte[] shorter = Arrays.copyOf(file, file.length - cut);
        System.arraycopy(file, at + cut, shorter, at, file.length - at - cut);
        return shorter;
      }
    };

    abstract byte[] apply(byte[] file, Random random);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void damageIsSurvivedOrReported(boolean vectors) throws Exception {
    List<Path> shards = vectors ? withVectors : plain;
    byte[] original = Files.readAllBytes(shards.getFirst());
    Path damaged = directory.resolve("damaged" + vectors);
    Path target = directory.resolve("decoded" + vectors);
    int survived = 0;
    int reported = 0;
    for (Damage damage : Damage.values()) {
      for (int seed = 0; seed < CASES_EACH; seed++) {
        Files.write(damaged, damage.apply(original.clone(), new Random(seed)));
        Files.deleteIfExists(target);
        // In turn with the others, which hold enough, and alone, which need not be enough.
        List<Path> given =
            seed % 2 == 0
                ? List.of(damaged)
                : List.of(damaged, shards.get(1), shards.get(shards.size() - 1));
        try {
          DecodingResult result =
              new FileDecoder(engine).decode(given, target, ProgressListener.NONE);
          assertThat(Files.readAllBytes(target)).isEqualTo(content);
          if (damage == Damage.FLIP_A_BIT || damage == Damage.FLIP_IN_THE_HEADER) {
            assertThat(losses(result.report())).isEqualTo(1);
          }
          survived++;
        } catch (ShortRankException | MalformedShardException e) {
          assertThat(e).message().isNotBlank();
          assertThat(target).doesNotExist();
          reported++;
        }
      }
    }
    assertThat(survived).isGreaterThan(CASES_EACH / 2);
    assertThat(reported).isGreaterThan(CASES_EACH / 2);
  }

  /**
   * Each bit of a shard: one record is lost, or the header, which another shard makes good; never
   * the rest.
   */
  @Test
  void oneFlippedBitCostsOneRecord() throws Exception {
    byte[] original = Files.readAllBytes(plain.getFirst());
    ShardHeader header = ShardInspector.header(plain.getFirst());
    Path damaged = directory.resolve("flipped");
    ShardReport.Shard whole = inspect(plain).report().shards().getFirst();
    for (int at = 0; at < original.length; at += TestLength.oneIn(3)) {
      byte[] copy = original.clone();
      copy[at] ^= (byte) (1 << at % 8);
      Files.write(damaged, copy);
      List<Path> given = List.of(damaged, plain.get(1));
      InspectionResult found = inspect(given);
      assertThat(found.report().leftOut()).isEmpty();
      ShardReport.Shard summary = found.report().shards().getFirst();
      assertThat(summary.path()).isEqualTo(damaged);
      assertThat(summary.header().descriptor()).isEqualTo(header.descriptor());
      assertThat(summary.header().recordId()).isEqualTo(header.recordId());
      boolean isInHeader = at < header.byteSize();
      boolean isInHashes = at >= header.hashesAt();
      assertThat(summary.isHeaderDamaged()).isEqualTo(isInHeader);
      assertThat(summary.areHashesDamaged()).isEqualTo(isInHashes);
      assertThat(summary.damaged()).isEqualTo(isInHeader || isInHashes ? 0 : 1);
      assertThat(summary.records()).isEqualTo(whole.records());
    }
  }

  private static long losses(ShardReport report) {
    return report.damaged()
        + report.leftOut().size()
        + report.shards().stream().filter(ShardReport.Shard::isHeaderDamaged).count()
        + report.shards().stream().filter(ShardReport.Shard::areHashesDamaged).count();
  }

  @Test
  void aShardThatIsNoneIsNamedWithTheOffset() throws Exception {
    Path file = directory.resolve("none");
    Files.write(file, new byte[300]);
    assertThatExceptionOfType(MalformedShardException.class)
        .isThrownBy(() -> inspect(List.of(file)))
        .withMessageContaining(file.toString())
        .satisfies(e -> assertThat(e.offset()).isZero());
    Files.write(file, new byte[0]);
    assertThatExceptionOfType(MalformedShardException.class)
        .isThrownBy(() -> ShardInspector.header(file));
  }

  /** A header with maximum sizes on an empty file uses neither memory nor time. */
  @Test
  void aHeaderMayClaimAllGenerations() throws Exception {
    long most = ObjectManifest.MAX_GENERATIONS;
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4096, 1 << 24);
    assertShort(shape, shape.bytes() * (most / 64));
    GenerationShape small = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 1, 1);
    assertShort(small, most);
  }

  private void assertShort(GenerationShape shape, long length) throws Exception {
    ShardHeader header = header(shape, length);
    Path file = directory.resolve("hostile");
    Files.write(file, header.toBytes());
    Path target = directory.resolve("claimed");
    assertThatExceptionOfType(ShortRankException.class)
        .isThrownBy(
            () -> new FileDecoder(engine).decode(List.of(file), target, ProgressListener.NONE))
        .satisfies(e -> {
          assertThat(e.ranks().generations()).isEqualTo(header.descriptor().generations());
          assertThat(e.ranks().missingBlocks()).isEqualTo(header.descriptor().sourceBlocks());
          assertThat(e.ranks().shortGenerations()).hasSize(RankSummary.MAX_LISTED);
        });
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> recode(List.of(file), "claimed", 1))
        .withMessageContaining("no undamaged block");
    assertThat(target).doesNotExist();
  }

  @Test
  void recordsFarApartAreReachedAtOnce() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 2, 8);
    long generations = 1L << 24;
    ShardHeader header = header(shape, 16 * generations);
    CodedObject descriptor = header.descriptor();
    Path file = directory.resolve("sparse");
    Files.write(file, shard(header, 0, 1L << 20, generations - 1));
    InspectionResult found = inspect(List.of(file));
    assertThat(found.ranks().codedBlocks()).isEqualTo(3);
    assertThat(found.ranks().minRank()).isZero();
    assertThat(found.ranks().missingBlocks()).isEqualTo(descriptor.sourceBlocks() - 3);

    Path recoded = recode(List.of(file), "sparse.recoded", 1);
    assertThat(inspect(List.of(recoded)).ranks().codedBlocks()).isEqualTo(3 * 6);
  }

  @Test
  void recordsOutOfOrderAreUsedAndThoseOfNoGenerationDropped() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 1, 8);
    ShardHeader header = header(shape, 24);
    Path file = directory.resolve("unordered");
    Files.write(file, shard(header, 0, 2, 1, 2, 7));
    InspectionResult found = inspect(List.of(file));
    ShardReport.Shard summary = found.report().shards().getFirst();
    assertThat(summary.records()).isEqualTo(5);
    assertThat(summary.damaged()).isEqualTo(1);
    assertThat(found.ranks().isComplete()).isTrue();
    assertThat(found.ranks().codedBlocks()).isEqualTo(4);
  }

  /** Records that are whole and agree with the header, and are not the file's. */
  @Test
  void aForgedBlockIsFoundByTheDigest() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 1, 8);
    ShardHeader header = header(shape, 8);
    Path file = directory.resolve("forged");
    Files.write(file, shard(header, 0));
    Path target = directory.resolve("forged.decoded");
    assertThatExceptionOfType(DigestMismatchException.class)
        .isThrownBy(
            () -> new FileDecoder(engine).decode(List.of(file), target, ProgressListener.NONE))
        .withMessageContaining("its shards say");
    assertThat(target).doesNotExist();
  }

  /** A header without hashes of an object that no content has. */
  private static ShardHeader header(GenerationShape shape, long length) {
    ObjectManifest manifest =
        new ObjectManifest(shape, length, Optional.empty(), new Sha256(0, 0, 0, 0));
    return new ShardHeader(new CodedObject("name", manifest), 7, false, 0);
  }

  /** A shard with one block of each of these generations. */
  private static byte[] shard(ShardHeader header, long... generations) {
    int stride = header.recordBytes();
    byte[] file = Arrays.copyOf(header.toBytes(), header.byteSize() + generations.length * stride);
    MemorySegment records = MemorySegment.ofArray(file).asSlice(header.byteSize());
    MemorySegment payload =
        MemorySegment.ofArray(new byte[header.descriptor().shape().blockSize()]).fill((byte) 9);
    for (int i = 0; i < generations.length; i++) {
      CodedBlock block = new CodedBlock(generations[i], new CodingVector.Seeded(1, 0), payload);
      new WireBlock(header.recordId(), header.descriptor().shape(), block)
          .writeRecord(records.asSlice((long) i * stride, stride), header.vectorBytes());
    }
    return file;
  }

  private static InspectionResult inspect(List<Path> shards) throws Exception {
    return new ShardInspector(engine).inspect(shards, GenerationListener.NONE);
  }
}
