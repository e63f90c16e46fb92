// GF(2^8), and the tables that the kernels read.
#ifndef FIELD_H
#define FIELD_H

#include <stdint.h>
#include <string.h>

static uint8_t multiply(uint8_t a, uint8_t b, int polynomial) {
  int product = 0;
  for (int bit = 0; bit < 8; bit++) product ^= (b >> bit & 1) ? a << bit : 0;
  for (int bit = 14; bit >= 8; bit--) product ^= (product >> bit & 1) ? polynomial << (bit - 8) : 0;
  return (uint8_t)product;
}

static uint8_t field[256][256];
_Alignas(64) static uint8_t affine[256 * 9], nibbles[256 * 33], reciprocals[256];

static void make_tables(int polynomial) {
  memset(affine, 0, sizeof affine);
  for (int f = 0; f < 256; f++) {
    for (int x = 0; x < 256; x++) {
      field[f][x] = multiply(f, x, polynomial);
      if (field[f][x] == 1) reciprocals[f] = x;
    }
    for (int i = 0; i < 16; i++) {
      nibbles[f * 32 + i] = field[f][i];
      nibbles[f * 32 + 16 + i] = field[f][i << 4];
    }
    for (int row = 0; row < 8; row++) {
      for (int bit = 0; bit < 8; bit++) affine[f * 8 + 7 - row] |= (field[f][1 << bit] >> row & 1) << bit;
    }
  }
  memcpy(affine + 256 * 8, reciprocals, 256);
  memcpy(nibbles + 256 * 32, reciprocals, 256);
}

#endif
