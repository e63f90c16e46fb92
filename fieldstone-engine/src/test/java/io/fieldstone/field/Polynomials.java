package io.fieldstone.field;

import java.util.stream.IntStream;

/** Polynomials over GF(2) by the definitions: the oracle of {@link Gf256}. */
final class Polynomials {

  private Polynomials() {}

  /** The product a · b of two polynomials, without reduction. */
  static int carrylessProduct(int a, int b) {
    int product = 0;
    for (int i = 0; i < 8; i++) {
      product ^= (b >> i & 1) * (a << i);
    }
    return product;
  }

  /** The product of two elements modulo a polynomial of degree 8. */
  static int product(int a, int b, int polynomial) {
    int product = carrylessProduct(a, b);
    for (int degree = 14; degree >= 8; degree--) {
      product ^= (product >> degree & 1) * (polynomial << (degree - 8));
    }
    return product;
  }

  /** The irreducible polynomials of degree 8, ascending: a sieve that strikes out every product. */
  static int[] irreducible() {
    boolean[] reducible = new boolean[0x200];
    for (int a = 2; a < 0x100; a++) {
      for (int b = 2; b < 0x100; b++) {
        int product = carrylessProduct(a, b);
        if (product < reducible.length) {
          reducible[product] = true;
        }
      }
    }
    return IntStream.range(0x100, 0x200).filter(p -> !reducible[p]).toArray();
  }
}
