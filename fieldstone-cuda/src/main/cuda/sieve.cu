// Sieves generator polynomials: excludes nearly all that have an undetected error of up to four bits.
//
// An error of four bits is undetected if two sums of two powers of x are equal modulo the polynomial.
// A warp takes a polynomial. Powers with the same low bits meet in a bucket, so that their sums have
// zeros there, and equal sums meet in a table. A bucket keeps its last power, a place of the table its
// last sum. Few thousand sums suffice (D. Wagner, "A generalized birthday problem", CRYPTO 2002).
//
// A power is represented by `width` successive bits of the sequence that the polynomial generates,
// from the place of its exponent on: a linear map without a kernel, because the sequence begins with
// zeros and a one. So a lane needs a funnel shift for a power. The next 32 bits of the sequence are
// products of the bits before with the coefficients of the powers that follow them; each lane computes
// one by POPC, and a ballot collects them.
//
// A polynomial without equal sums is tried again from the next exponent on: errors are the same, but
// other pairs meet in the buckets.

#include <type_traits>

#include "fieldstone.cuh"

/** Arguments of sieve_narrow and sieve_wide: polynomials x^width + x · number + 1. */
struct SieveArguments {
  /** A bit for each number, set if it is not excluded; zeros before the launch. */
  uint32_t* kept;
  int64_t first;
  int64_t count;
  /** Degree of the polynomials: 3 to 32 (narrow), 33 to 40 (wide). */
  int32_t width;
  /** Powers of x that are compared, more than the width. */
  int32_t bits;
  /** Logarithm of the number of buckets, and of places in the table; width - 31 or more. */
  int32_t bucket_bits;
  int32_t place_bits;
};

namespace sieving {

/** Words of the sequence that a warp compares at once. */
constexpr int kWords = 4;

/** Trials of a polynomial. */
constexpr int kTrials = 4;

constexpr uint32_t kEmpty = 0xFFFFFFFFu;
constexpr uint32_t kAll = 0xFFFFFFFFu;

/** Tests whether a number is not greater than that of the reciprocal polynomial. */
__device__ __forceinline__ bool is_smaller(uint64_t number, int width) {
  return number <= __brevll(number) >> (65 - width);
}

/** Generates the sequence from the words before: one if the polynomial is narrow, else two. */
template <bool wide>
struct Generator {
  using Power = std::conditional_t<wide, uint64_t, uint32_t>;

  uint32_t low, high;
  uint32_t low_mask, high_mask;

  __device__ __forceinline__ Generator(Power terms, int width, int lane) {
    const int top = width - 1;
    const Power mask = static_cast<Power>((uint64_t{1} << width) - 1);
    Power power = 1, after = 1;
    low = high = 0;
    // All lanes compute the same powers; each keeps that of its place.
    for (int i = 0; i < (wide ? 96 : 64); i++) {
      const uint32_t bit = static_cast<uint32_t>(power >> top) & 1;
      if (i < 32) {
        low |= bit << i;
      } else if (i < 64) {
        high |= bit << (i - 32);
      }
      after = i == lane + (wide ? 64 : 32) ? power : after;
      power = ((power << 1) & mask) ^ (bit != 0 ? terms : 0);
    }
    low_mask = static_cast<uint32_t>(after);
    high_mask = static_cast<uint32_t>(uint64_t{after} >> 32);
  }

  /** Returns the word behind those that are known, and moves on by a word. */
  __device__ __forceinline__ uint32_t next() {
    if constexpr (wide) {
      const int ones = __popc(low & low_mask) + __popc(high & high_mask);
      const uint32_t word = __ballot_sync(kAll, ones & 1);
      low = high;
      high = word;
      return word;
    } else {
      const uint32_t word = __ballot_sync(kAll, __popc(low & low_mask) & 1);
      low = word;
      return word;
    }
  }
};

/** Makes buckets and sums empty. */
__device__ __forceinline__ void clear(
    const SieveArguments& a, uint32_t* buckets, uint32_t* sums, int lane) {
  for (int i = lane; i < 1 << a.bucket_bits; i += kWarpSize) {
    buckets[i] = kEmpty;
  }
  for (int i = lane; i < 1 << a.place_bits; i += kWarpSize) {
    sums[i] = 0;
  }
  __syncwarp();
}

/** Tests whether two powers of a polynomial, or two of the compared sums, are equal. */
template <bool wide>
__device__ __forceinline__ bool has_equal(
    const SieveArguments& a, uint64_t terms, uint32_t* buckets, int lane) {
  uint32_t* const sums = buckets + (1 << a.bucket_bits);
  Generator<wide> generator(terms, a.width, lane);
  const uint32_t bucket_mask = (1u << a.bucket_bits) - 1;
  const uint32_t place_mask = (1u << a.place_bits) - 1;
  // The bits of a power above those of its bucket, at most 31.
  const uint32_t rest_mask = (1u << (a.width - a.bucket_bits)) - 1;
  constexpr int kAhead = wide ? 2 : 1;
  uint32_t words[kWords + kAhead];
  words[0] = generator.low;
  if constexpr (wide) {
    words[1] = generator.high;
  }
  for (int trial = 0; trial < kTrials; trial++) {
    clear(a, buckets, sums, lane);
    for (int first = 0; first < a.bits; first += 32 * kWords) {
#pragma unroll
      for (int i = kAhead; i < kWords + kAhead; i++) {
        words[i] = generator.next();
      }
      // All exchanges with buckets precede those with the table, so that they overlap.
      uint32_t rests[kWords], others[kWords];
#pragma unroll
      for (int i = 0; i < kWords; i++) {
        const uint32_t low = __funnelshift_r(words[i], words[i + 1], lane);
        uint32_t rest = low >> a.bucket_bits;
        if constexpr (wide) {
          const uint32_t high = __funnelshift_r(words[i + 1], words[i + 2], lane);
          rest = __funnelshift_r(low, high, a.bucket_bits);
        }
        rests[i] = rest & rest_mask;
        others[i] = kEmpty;
        if (first + 32 * i + lane < a.bits) {
          others[i] = atomicExch(buckets + (low & bucket_mask), rests[i]);
        }
      }
      bool found = false;
      uint32_t before[kWords];
#pragma unroll
      for (int i = 0; i < kWords; i++) {
        const uint32_t sum = others[i] ^ rests[i];
        before[i] = ~sum;
        if (others[i] != kEmpty) {
          before[i] = atomicExch(sums + (sum & place_mask), sum);
        }
      }
#pragma unroll
      for (int i = 0; i < kWords; i++) {
        const uint32_t sum = others[i] ^ rests[i];
        found |= before[i] == sum;  // also if it is 0: two equal powers
      }
      if (__any_sync(kAll, found)) {
        return true;
      }
#pragma unroll
      for (int i = 0; i < kAhead; i++) {
        words[i] = words[kWords + i];
      }
    }
    __syncwarp();
  }
  return false;
}

template <bool wide>
__device__ void sieve(const SieveArguments& a) {
  extern __shared__ uint32_t buckets[];
  const int lane = threadIdx.x;
  for (int64_t i = blockIdx.x; i < a.count; i += gridDim.x) {
    const uint64_t number = static_cast<uint64_t>(a.first + i);
    if (is_smaller(number, a.width) && !has_equal<wide>(a, 2 * number + 1, buckets, lane) &&
        lane == 0) {
      atomicOr(a.kept + i / 32, 1u << (i % 32));
    }
    __syncwarp();
  }
}

}  // namespace sieving

// Sieves polynomials of degree 3 to 32.
//
// Grid: (blocks, 1, 1), any number; no more than run at once. Block: (32, 1, 1). Dynamic shared memory:
// 4 · (2^bucket_bits + 2^place_bits) bytes. Shapes: any.
extern "C" __global__ void __launch_bounds__(32) sieve_narrow(
    const __grid_constant__ SieveArguments a) {
  sieving::sieve<false>(a);
}

// Sieves polynomials of degree 33 to 40, as sieve_narrow does.
extern "C" __global__ void __launch_bounds__(32) sieve_wide(
    const __grid_constant__ SieveArguments a) {
  sieving::sieve<true>(a);
}
