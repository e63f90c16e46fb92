package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Polynomial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the CRC that made samples: its polynomial of degree 3 to 128, both reflections, the order
 * of bytes, init and final XOR, the bytes that it covers, and the place of its field in a frame.
 *
 * {@snippet :
 * List<Sample> samples =
 *     List.of(Sample.of(1, first, checksum1), Sample.of(2, second, checksum2),
 *         Sample.of(3, third, checksum3));
 * switch (CrcIdentifier.create().identify(samples)) {
 *   case Finding.Found found -> System.out.println(found.best().model());
 *   case Finding.Affine _ -> System.out.println("affine over GF(2), but no CRC");
 *   case Finding.NotAffine not -> System.out.println(not.first() + " contradict " + not.second());
 *   case Finding.Undecided no -> System.out.println(no.reason());
 * }
 * }
 *
 * <p>Three samples of equal length decide a polynomial of 16 bits or more; one decides a model of
 * the catalogue. A model that explains too few samples to be certain says so. Samples that no model
 * explains together with the others are outliers.
 *
 * <p>Immutable and thread-safe.
 */
public final class CrcIdentifier {

  /** The minimum degree of a polynomial that is searched. */
  public static final int MIN_WIDTH = 3;

  /**
   * The maximum length of messages whose polynomial is computed; longer ones need the catalogue.
   */
  private static final int MAX_DIVIDED_BYTES = 1 << 15;

  /** The maximum length of frames in which all ranges are tried with unknown polynomials. */
  private static final int MAX_RANGE_BYTES = 80;

  private static final int MAX_TRIPLES = 300;
  private static final long TRIPLE_WORDS = 400_000_000;
  private static final int MIN_FOR_OUTLIERS = 5;
  private static final int MAX_MODELS = 8;

  private final Optional<CrcModel> given;

  private CrcIdentifier(Optional<CrcModel> given) {
    this.given = given;
  }

  /** Returns an identifier for any CRC. */
  public static CrcIdentifier create() {
    return new CrcIdentifier(Optional.empty());
  }

  /**
   * Returns an identifier for a known polynomial and known reflections, of which only init, the
   * final XOR, the bytes that it covers and the place of its field are unknown.
   */
  public CrcIdentifier withPolynomialOf(CrcModel model) {
    return new CrcIdentifier(Optional.of(model));
  }

  /**
   * Identifies the function that made samples.
   *
   * @param samples all with checksums of one width, or all frames
   * @throws IllegalArgumentException if there are no samples, some are frames and some are not,
   *     their checksums differ in width, or all checksums are wider than their messages
   */
  public Finding identify(List<Sample> samples) {
    List<Sample> distinct = distinct(samples);
    boolean areFrames = samples.getFirst().checksum().isEmpty();
    Optional<Finding> found =
        longest(distinct) > MAX_DIVIDED_BYTES
            ? Optional.empty()
            : areFrames ? inFrames(distinct) : ofChecksums(distinct);
    if (found.isEmpty() && given.isEmpty()) {
      found = new RangeSearch(distinct).find();
    }
    if (found.isEmpty() && !areFrames && given.isEmpty()) {
      found = AffineTest.of(distinct);
    }
    return found.orElseGet(() -> undecided(distinct));
  }

  private static int longest(List<Sample> samples) {
    return samples.stream().mapToInt(Sample::length).max().orElse(0);
  }

  /** Checks the samples, and returns them without repetitions, which say nothing new. */
  private static List<Sample> distinct(List<Sample> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no samples");
    }
    Optional<CrcValue> first = samples.getFirst().checksum();
    List<Sample> distinct = new ArrayList<>();
    boolean isWide = first.isPresent();
    for (Sample each : samples) {
      if (each.checksum().map(CrcValue::width).equals(first.map(CrcValue::width))) {
        isWide &= first.isPresent() && first.get().width() > each.length() * Byte.SIZE;
      } else {
        throw new IllegalArgumentException(
            "%s and %s differ in the width of their checksums".formatted(samples.getFirst(), each));
      }
      if (distinct.stream()
          .noneMatch(
              known -> known.hasMessageOf(each) && known.checksum().equals(each.checksum()))) {
        distinct.add(each);
      }
    }
    if (isWide) {
      throw new IllegalArgumentException(
          "checksums of %d bits are wider than their messages".formatted(first.get().width()));
    }
    return distinct;
  }

  private Optional<Finding> ofChecksums(List<Sample> samples) {
    Optional<Finding> outlying = Optional.empty();
    for (Reading reading : Reading.of(samples)) {
      if (given.isPresent() && given.get().width() != reading.width()) {
        continue;
      }
      List<Sample> read = reading.read(samples);
      Placement whole = Placement.whole(reading.width());
      Optional<Finding> found = solve(read, whole, reading.shift(), 0);
      if (found.isPresent()) {
        return found;
      }
      if (outlying.isEmpty()) {
        outlying = withOutliers(read, whole, reading.shift(), 0);
      }
    }
    if (outlying.isPresent()) {
      return outlying;
    }
    int width = samples.getFirst().checksum().orElseThrow().width();
    return inRanges(samples, List.of(new Field(Placement.NONE, width)));
  }

  private Optional<Finding> inFrames(List<Sample> samples) {
    List<Integer> widths = frameWidths(samples);
    int bits = 3;
    for (int width : widths) {
      Optional<Finding> found = solve(samples, Placement.atEnd(width), 0, bits);
      if (found.isPresent()) {
        return found;
      }
    }
    for (int width : widths) {
      Optional<Finding> found = withOutliers(samples, Placement.atEnd(width), 0, bits);
      if (found.isPresent()) {
        return found;
      }
    }
    List<Field> fields = new ArrayList<>();
    int shortest = samples.stream().mapToInt(Sample::length).min().orElse(0);
    for (int width : widths) {
      fields.add(new Field(-width / Byte.SIZE, width));
    }
    for (int width : widths) {
      for (int at = 0; at < shortest - width / Byte.SIZE; at++) {
        fields.add(new Field(at, width));
      }
    }
    return inRanges(samples, fields);
  }

  /** Returns the widths of fields of whole bytes, the widest first: others are parts of it. */
  private List<Integer> frameWidths(List<Sample> samples) {
    int shortest = samples.stream().mapToInt(Sample::length).min().orElse(0);
    List<Integer> widths = new ArrayList<>();
    for (int width = Long.SIZE; width >= Byte.SIZE; width -= Byte.SIZE) {
      if (width / Byte.SIZE < shortest && (given.isEmpty() || given.get().width() == width)) {
        widths.add(width);
      }
    }
    return widths;
  }

  /** The catalogue, parsed when it is first needed. */
  private static final class Catalogue {
    private static final Map<Integer, List<CrcCatalogue.Entry>> BY_WIDTH =
        CrcCatalogue.entries().stream()
            .collect(Collectors.groupingBy(entry -> entry.model().width()));

    static List<CrcCatalogue.Entry> ofWidth(int width) {
      return BY_WIDTH.getOrDefault(width, List.of());
    }
  }

  /** The place and width of a checksum. */
  private record Field(int at, int width) {}

  /** Returns the models that explain all samples under a placement. */
  private Optional<Finding> solve(
      List<Sample> samples, Placement placement, int shift, int hypotheses) {
    List<CrcCatalogue.Entry> entries = Catalogue.ofWidth(placement.width());
    List<FoundModel> models = new ArrayList<>();
    for (Orientation orientation : orientations(placement.width())) {
      Trial trial = Trial.of(samples, placement, orientation, shift, hypotheses + 3);
      for (Gf2Polynomial poly : polynomials(trial, trial.equations(), entries)) {
        trial
            .model(poly, trial.equations(), 0, entries, given.isPresent())
            .filter(model -> isAcceptable(model))
            .ifPresent(models::add);
      }
    }
    return found(models, List.of());
  }

  private boolean isAcceptable(FoundModel model) {
    return model.evidenceBits() > 0 || given.isPresent();
  }

  private static Optional<Finding> found(List<FoundModel> models, List<Integer> outliers) {
    if (models.isEmpty()) {
      return Optional.empty();
    }
    List<FoundModel> sorted = new ArrayList<>(models);
    sorted.sort(CrcIdentifier::compare);
    return Optional.of(
        new Finding.Found(sorted.subList(0, Math.min(MAX_MODELS, sorted.size())), outliers));
  }

  /** Compares models: those of the catalogue are first, then those with more evidence. */
  private static int compare(FoundModel a, FoundModel b) {
    return a.isCatalogued() == b.isCatalogued()
        ? Integer.compare(b.evidenceBits(), a.evidenceBits())
        : Boolean.compare(b.isCatalogued(), a.isCatalogued());
  }

  private List<Orientation> orientations(int width) {
    return Orientation.of(width).stream()
        .filter(each ->
            given.isEmpty()
                || each.refin() == given.get().refin() && each.refout() == given.get().refout())
        .toList();
  }

  private Iterable<Gf2Polynomial> polynomials(
      Trial trial, List<Equation> equations, List<CrcCatalogue.Entry> entries) {
    if (given.isPresent()) {
      return List.of(Trial.polynomial(given.get()));
    }
    Gf2Polynomial divisor = Equation.commonDivisor(Equation.multiples(equations), trial.width());
    return divisor.degree() == 0 ? List.of() : trial.polynomials(divisor, entries);
  }

  /** Returns the model that explains most samples, if it explains enough of them. */
  private Optional<Finding> withOutliers(
      List<Sample> samples, Placement placement, int shift, int hypotheses) {
    int count = samples.size();
    if (count < MIN_FOR_OUTLIERS) {
      return Optional.empty();
    }
    List<CrcCatalogue.Entry> entries = Catalogue.ofWidth(placement.width());
    FoundModel best = null;
    List<Integer> outliers = List.of();
    for (Orientation orientation : orientations(placement.width())) {
      Trial trial = Trial.of(samples, placement, orientation, shift, hypotheses + 3);
      for (List<Equation> some : subsets(trial.equations())) {
        for (Gf2Polynomial poly : polynomials(trial, some, entries)) {
          List<Equation> explained = ParameterClass.explained(poly, trial.equations());
          int left = count - explained.size();
          if (left == 0 || explained.size() <= Math.max(count / 2, 3)) {
            continue;
          }
          Optional<FoundModel> model =
              trial
                  .model(poly, explained, log2Choose(count, left), entries, given.isPresent())
                  .filter(each -> each.evidenceBits() > 0);
          if (model.isPresent()
              && (best == null || model.get().evidenceBits() > best.evidenceBits())) {
            best = model.get();
            outliers = others(trial.equations(), explained);
          }
        }
      }
    }
    return best == null ? Optional.empty() : found(List.of(best), outliers);
  }

  private static List<Integer> others(List<Equation> all, List<Equation> explained) {
    TreeSet<Integer> others = new TreeSet<>();
    all.forEach(each -> others.add(each.sample()));
    explained.forEach(each -> others.remove(each.sample()));
    return List.copyOf(others);
  }

  private static double log2Choose(int n, int k) {
    double bits = 0;
    for (int i = 0; i < k; i++) {
      bits += Math.log((double) (n - i) / (k - i)) / Math.log(2);
    }
    return bits;
  }

  /** Returns some triples, of one length where there are enough: all, if they are few. */
  private static List<List<Equation>> subsets(List<Equation> equations) {
    List<List<Equation>> subsets = new ArrayList<>();
    int longest = equations.stream().mapToInt(Equation::bits).max().orElse(1);
    long words = (long) longest * (longest / Long.SIZE + 1);
    int limit = Math.clamp(TRIPLE_WORDS / words, 20, MAX_TRIPLES);
    List<Equation> shuffled = new ArrayList<>(equations);
    Random random = new Random(equations.size());
    for (int trial = 0; trial < limit; trial++) {
      Collections.shuffle(shuffled, random);
      List<Equation> some = new ArrayList<>(shuffled.subList(0, 3));
      int next = 3;
      while (next < shuffled.size() && Equation.multiples(some).size() < 2) {
        some.add(shuffled.get(next++));
      }
      subsets.add(some);
    }
    return subsets;
  }

  /** Tries all ranges of bytes of short samples. */
  private Optional<Finding> inRanges(List<Sample> samples, List<Field> fields) {
    int shortest = samples.stream().mapToInt(Sample::length).min().orElse(0);
    if (shortest > MAX_RANGE_BYTES || samples.size() < 3) {
      return Optional.empty();
    }
    int hypotheses = 2 * bits(shortest) + bits(fields.size());
    for (Field field : fields) {
      int bytes = field.at() == Placement.NONE ? 0 : field.width() / Byte.SIZE;
      for (int behind = 0; behind < shortest; behind++) {
        for (int from = 0; from < shortest - behind; from++) {
          Placement placement = new Placement(from, behind, field.at(), field.width());
          if (!overlaps(field.at(), bytes, from, behind, shortest)
              && isPossible(samples, placement)) {
            Optional<Finding> found = solve(samples, placement, 0, hypotheses);
            if (found.isPresent()) {
              return Optional.of(named(samples, placement, hypotheses, found.get()));
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  private static int bits(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(number);
  }

  /** Returns true if the field could be among the covered bytes. */
  private static boolean overlaps(int at, int bytes, int from, int behind, int shortest) {
    if (at == Placement.NONE) {
      return false;
    }
    return at < 0 ? behind < -at : at < shortest - behind && from < at + bytes;
  }

  /** Tests by few samples whether the placement can have a polynomial of the width. */
  private boolean isPossible(List<Sample> samples, Placement placement) {
    List<Sample> few = samples.subList(0, Math.min(4, samples.size()));
    for (Orientation orientation : orientations(placement.width())) {
      Trial trial = Trial.of(few, placement, orientation, 0, 0);
      List<Gf2Polynomial> multiples = Equation.multiples(trial.equations());
      if (given.isPresent()) {
        Gf2Polynomial poly = Trial.polynomial(given.get());
        if (multiples.stream().allMatch(each -> each.remainder(poly).isZero())) {
          return true;
        }
      } else if (multiples.size() >= 2
          && Equation.commonDivisor(multiples, placement.width()).degree() >= placement.width()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the finding for a later begin of the range if the catalogue has its model: bytes that
   * are equal in all samples may be covered or not.
   */
  private Finding named(List<Sample> samples, Placement placement, int hypotheses, Finding found) {
    if (found instanceof Finding.Found first && !first.best().isCatalogued()) {
      Placement later = placement;
      while (isConstant(samples, later.from())) {
        later = new Placement(later.from() + 1, later.behind(), later.field(), later.width());
        if (!samples.stream().allMatch(later::fits)) {
          break;
        }
        Optional<Finding> other = solve(samples, later, 0, hypotheses);
        if (other.isPresent()
            && other.get() instanceof Finding.Found second
            && second.best().isCatalogued()) {
          return second;
        }
      }
    }
    return found;
  }

  private static boolean isConstant(List<Sample> samples, int at) {
    byte first = samples.getFirst().shared()[at];
    return samples.stream().allMatch(each -> each.length() > at && each.shared()[at] == first);
  }

  private Finding undecided(List<Sample> samples) {
    for (int i = 0; i < samples.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (samples.get(i).checksum().isPresent() && samples.get(i).hasMessageOf(samples.get(j))) {
          return new Finding.Undecided(
              "samples %d and %d have the same message, but different checksums"
                  .formatted(samples.get(j).number(), samples.get(i).number()),
              0);
        }
      }
    }
    if (longest(samples) > MAX_DIVIDED_BYTES) {
      return new Finding.Undecided(
          "no CRC of the catalogue explains the samples, and messages of more than %d bytes are too"
                  .formatted(MAX_DIVIDED_BYTES)
              + " long for the search of a polynomial",
          0);
    }
    int width =
        given
            .map(CrcModel::width)
            .or(() -> samples.getFirst().checksum().map(CrcValue::width))
            .orElse(Short.SIZE);
    long most =
        samples.stream()
            .mapToInt(Sample::length)
            .mapToLong(length -> samples.stream().filter(each -> each.length() == length).count())
            .max()
            .orElse(0);
    int needed = Math.max(3, 2 + Math.ceilDiv(20, width));
    if (most < needed) {
      return new Finding.Undecided(
          "%d samples of equal length are too few: %d more decide, if their messages differ at"
                  .formatted(most, needed - most)
              + " random",
          (int) (needed - most));
    }
    return new Finding.Undecided(
        "no CRC explains the samples, nor enough of them to name outliers", 0);
  }
}
