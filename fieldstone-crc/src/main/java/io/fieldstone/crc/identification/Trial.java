package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Polynomial;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The samples under one assumption on the placement and the orders of bits and bytes.
 *
 * @param hypotheses the binary logarithm of the number of such assumptions
 */
record Trial(
    List<Equation> equations,
    Placement placement,
    Orientation orientation,
    int shift,
    int hypotheses) {

  /** The evidence in bits from which a model is certain. */
  private static final int CERTAIN = 16;

  /** The binary logarithm of the number of models in the catalogue, rounded up. */
  private static final int CATALOGUE_BITS = 7;

  private static final int MAX_PRODUCTS = 64;
  private static final int MAX_OTHERS = 5;

  static Trial of(
      List<Sample> samples,
      Placement placement,
      Orientation orientation,
      int shift,
      int hypotheses) {
    List<Equation> equations = new ArrayList<>(samples.size());
    for (Sample each : samples) {
      equations.add(
          Equation.of(
              each.number(),
              placement.message(each),
              orientation.register(placement.checksum(each)),
              orientation.refin()));
    }
    return new Trial(equations, placement, orientation, shift, hypotheses);
  }

  int width() {
    return placement.width();
  }

  /** Returns the polynomials that divide a common divisor, by degree and term. */
  Set<Gf2Polynomial> polynomials(Gf2Polynomial divisor, List<CrcCatalogue.Entry> entries) {
    Set<Gf2Polynomial> polynomials = new LinkedHashSet<>();
    for (CrcCatalogue.Entry each : entries) {
      if (isOfOrientation(each.model())) {
        Gf2Polynomial poly = polynomial(each.model());
        if (divisor.isZero() || divisor.remainder(poly).isZero()) {
          polynomials.add(poly);
        }
      }
    }
    if (divisor.degree() == width()) {
      polynomials.add(divisor);
    } else if (divisor.degree() > width()) {
      addProducts(Gf2Polynomial.ONE, divisor.factors(width()), 0, polynomials);
    }
    return polynomials;
  }

  private void addProducts(
      Gf2Polynomial product,
      List<Gf2Polynomial.Factor> factors,
      int next,
      Set<Gf2Polynomial> polynomials) {
    if (product.degree() == width()) {
      polynomials.add(product);
    }
    if (product.degree() >= width() || next == factors.size()) {
      return;
    }
    Gf2Polynomial power = product;
    for (int i = 0; i <= factors.get(next).multiplicity(); i++) {
      if (power.degree() > width() || polynomials.size() >= MAX_PRODUCTS) {
        return;
      }
      addProducts(power, factors, next + 1, polynomials);
      power = power.multiply(factors.get(next).polynomial());
    }
  }

  private boolean isOfOrientation(CrcModel model) {
    return model.width() == width()
        && model.refin() == orientation.refin()
        && model.refout() == orientation.refout();
  }

  static Gf2Polynomial polynomial(CrcModel model) {
    return polynomial(model.poly()).add(Gf2Polynomial.xToThe(model.width()));
  }

  private static Gf2Polynomial polynomial(CrcValue value) {
    return Gf2Polynomial.of(value.low(), value.high());
  }

  private CrcValue value(Gf2Polynomial polynomial) {
    Gf2Polynomial low =
        polynomial.bit(width()) ? polynomial.add(Gf2Polynomial.xToThe(width())) : polynomial;
    return new CrcValue(width(), low.word(1), low.word(0));
  }

  /**
   * Returns the model of a polynomial that explains some equations.
   *
   * @param chosen the binary logarithm of the number of ways to choose the equations
   * @param isGiven true if the polynomial is given
   */
  Optional<FoundModel> model(
      Gf2Polynomial poly,
      List<Equation> explained,
      double chosen,
      List<CrcCatalogue.Entry> entries,
      boolean isGiven) {
    return ParameterClass.of(poly, explained)
        .map(parameters -> model(parameters, explained.size(), chosen, entries, isGiven));
  }

  private FoundModel model(
      ParameterClass parameters,
      int samples,
      double chosen,
      List<CrcCatalogue.Entry> entries,
      boolean isGiven) {
    List<CrcModel> members = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (CrcCatalogue.Entry each : entries) {
      CrcModel model = each.model();
      if (isOfOrientation(model) && polynomial(model).equals(parameters.poly())) {
        names.add(model.name());
        Gf2Polynomial init = polynomial(model.init());
        if (parameters.hasInit(init) && member(parameters, init, model.name()).equals(model)) {
          members.add(model);
        }
      }
    }
    boolean isCatalogued = !members.isEmpty();
    addCommon(parameters, members);
    int width = width();
    int free = parameters.freeBits();
    int parametersKnown = 2 * width - free;
    double evidence = (double) samples * width - hypotheses - chosen;
    double unnamed = evidence - parametersKnown - (isGiven ? 0 : width - 1);
    double best = unnamed;
    if (!names.isEmpty()) {
      best = Math.max(best, evidence - parametersKnown - (isGiven ? 0 : CATALOGUE_BITS));
    }
    if (isCatalogued) {
      best = Math.max(best, evidence - CATALOGUE_BITS);
    }
    int bits = (int) Math.floor(best);
    return new FoundModel(
        members.getFirst(),
        isCatalogued,
        members.subList(1, Math.min(members.size(), 1 + MAX_OTHERS)),
        names,
        Math.max(0, free - parameters.equivalentBits()),
        Math.min(free, parameters.equivalentBits()),
        parameters.decidingBytes(),
        orientation.isLittleEndian(),
        shift,
        placement.from(),
        placement.behind(),
        placement.field() == Placement.NONE ? Optional.empty() : Optional.of(placement.field()),
        bits,
        bits >= CERTAIN ? 0 : Math.ceilDiv(CERTAIN - bits, width));
  }

  /** Adds members of the class from the commonest on: zeros and ones first. */
  private void addCommon(ParameterClass parameters, List<CrcModel> members) {
    Gf2Polynomial zeros = Gf2Polynomial.ZERO;
    CrcValue all = CrcValue.ones(width());
    Gf2Polynomial ones = polynomial(all);
    List<Gf2Polynomial> inits = new ArrayList<>();
    for (Gf2Polynomial init : List.of(zeros, ones)) {
      if (parameters.hasInit(init)) {
        CrcValue xorout = value(parameters.xorout(init));
        if (xorout.isZero() || xorout.equals(all)) {
          inits.add(init);
        }
      }
    }
    parameters.initOf(zeros).ifPresent(inits::add);
    parameters.initOf(ones).ifPresent(inits::add);
    for (Gf2Polynomial init : List.of(zeros, ones)) {
      if (parameters.hasInit(init)) {
        inits.add(init);
      }
    }
    inits.add(parameters.init());
    for (Gf2Polynomial init : inits) {
      CrcModel member = member(parameters, init, "CRC-" + width() + "/custom");
      if (members.stream()
          .noneMatch(known ->
              known.init().equals(member.init()) && known.xorout().equals(member.xorout()))) {
        members.add(member);
      }
    }
  }

  private CrcModel member(ParameterClass parameters, Gf2Polynomial init, String name) {
    CrcValue xorout = value(parameters.xorout(init));
    return new CrcModel(
        name,
        value(parameters.poly()),
        value(init),
        orientation.refin(),
        orientation.refout(),
        orientation.refout() ? xorout.reflected() : xorout);
  }
}
