// Launches the kernel of walsh.cu as its contract says.

#pragma once

#include "../../main/cuda/walsh.cu"
#include "check.cuh"

namespace long_words {

/** The sums of the rows of a matrix, by weight. */
struct Words {
  int length, rows;
  DeviceArray<uint32_t> columns;
  DeviceArray<unsigned long long> counts;

  Words(const std::vector<uint32_t>& host, int rows)
      : length(static_cast<int>(host.size())), rows(rows), columns(host), counts(length + 1) {}

  void count(int blocks) {
    counts.clear();
    launch(walsh_count, blocks, 256, 0, WalshArguments{columns.data, counts.data, length, rows});
  }
};

}  // namespace long_words
