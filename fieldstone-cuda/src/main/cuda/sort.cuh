// Items of sorts and their bit-ordered keys; sort.cu says what they are.
#pragma once

#include "fieldstone.cuh"

namespace sorting {

constexpr uint32_t kAllLanes = 0xFFFFFFFF;

template <int kWords>
struct Item {
  uint32_t words[kWords];
};

template <>
struct alignas(8) Item<2> {
  uint32_t words[2];
};

template <>
struct alignas(16) Item<4> {
  uint32_t words[4];
};

// ---- Bit-ordered keys ----

/** Returns the bit-ordered key. All NaNs become the same number, the greatest. */
template <bool kFloating>
__device__ __forceinline__ uint32_t rank_of(uint32_t key, uint32_t flip) {
  if (kFloating) {
    const bool is_nan = (key & 0x7FFFFFFF) > 0x7F800000;
    const uint32_t ordered = key ^ (static_cast<int32_t>(key) >> 31 | 0x80000000);
    return (is_nan ? 0xFFC00000 : ordered) ^ flip;
  }
  return key ^ flip;
}

template <bool kFloating>
__device__ __forceinline__ uint64_t rank_of(uint64_t key, uint64_t flip) {
  if (kFloating) {
    const bool is_nan = (key & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
    const uint64_t ordered = key ^ (static_cast<int64_t>(key) >> 63 | 0x8000000000000000);
    return (is_nan ? 0xFFF8000000000000 : ordered) ^ flip;
  }
  return key ^ flip;
}

template <int kKeyWords>
struct Key;

template <>
struct Key<1> {
  using Type = uint32_t;
  static __device__ __forceinline__ Type of(const uint32_t* words) { return words[0]; }
};

template <>
struct Key<2> {
  using Type = uint64_t;
  static __device__ __forceinline__ Type of(const uint32_t* words) {
    return static_cast<uint64_t>(words[1]) << 32 | words[0];
  }
};

// ---- Warps ----

/** Returns the lanes whose values have the same lowest kBits bits as that of this lane. */
template <int kBits>
__device__ __forceinline__ uint32_t lanes_of_value(uint32_t value) {
  uint32_t lanes = kAllLanes;
#pragma unroll
  for (int bit = 0; bit < kBits; bit++) {
    const bool is_set = value >> bit & 1;
    const uint32_t alike = __ballot_sync(kAllLanes, is_set);
    lanes &= is_set ? alike : ~alike;
  }
  return lanes;
}

/** Returns the sum of the items of this lane and all lower lanes. */
template <class T>
__device__ __forceinline__ T inclusive_sum(T value) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int step = 1; step < kWarpSize; step *= 2) {
    const T below = __shfl_up_sync(kAllLanes, value, step);
    value += lane >= step ? below : 0;
  }
  return value;
}

}  // namespace sorting
