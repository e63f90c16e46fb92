// What the checks share: random numbers, memory between guard pages, and times.
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint64_t random_state = 20261123;

// SplitMix64.
static inline uint64_t random_word(void) {
  uint64_t z = random_state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

static inline int64_t random_below(int64_t bound) { return (int64_t)(random_word() % (uint64_t)bound); }

static inline void fill_random(uint8_t *data, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i++) data[i] = (uint8_t)random_word();
}

static inline double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static inline void fail(const char *message) {
  fprintf(stderr, "FAILED: %s\n", message);
  exit(1);
}

// Memory between two pages that cannot be accessed.
typedef struct {
  uint8_t *map;
  int64_t map_bytes;
  uint8_t *data;
} guarded;

// Allocates bytes that begin right after a guard page, or end right before one.
static inline guarded guard(int64_t bytes, int at_end) {
  int64_t page = sysconf(_SC_PAGESIZE);
  int64_t inner = (bytes + page - 1) / page * page;
  guarded memory = {NULL, inner + 2 * page, NULL};
  memory.map = mmap(NULL, memory.map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory.map == MAP_FAILED || (inner > 0 && mprotect(memory.map + page, inner, PROT_READ | PROT_WRITE))) {
    fail("no memory between guard pages");
  }
  memory.data = memory.map + page + (at_end ? inner - bytes : 0);
  fill_random(memory.map + page, inner < 4 * page ? inner : 4 * page);
  return memory;
}

static inline void release(guarded memory) { munmap(memory.map, memory.map_bytes); }

#endif
