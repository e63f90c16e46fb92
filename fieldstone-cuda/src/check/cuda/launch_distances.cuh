// Launches of the kernels of distances.cu as their contracts say.

#pragma once

#include "../../main/cuda/distances.cu"
#include "check.cuh"

namespace sums_of_rows {

/** Random rows with labels, as the kernels take them; bits past a length are zero. */
struct Rows {
  const int count, length, words, row_words;
  DeviceArray<uint32_t> data;

  Rows(int count, int length, int label_bits)
      : count(count),
        length(length),
        words(ceil_div(length, 32)),
        row_words(words + ceil_div(label_bits, 32)),
        data(random_rows(count, length, words, label_bits, row_words)) {}

  static std::vector<uint32_t> random_rows(int count, int length, int words, int label_bits,
                                           int row_words) {
    std::vector<uint32_t> rows(static_cast<size_t>(count) * row_words);
    for (size_t i = 0; i < rows.size(); i++) {
      const int word = i % row_words;
      const int bits = word < words ? length - 32 * word : label_bits - 32 * (word - words);
      rows[i] = static_cast<uint32_t>(random_word()) & ((1ull << std::min(bits, 32)) - 1);
    }
    return rows;
  }
};

/** C(c, i) at [i·(count + 1) + c]. */
inline std::vector<unsigned long long> binomials(int count, int size) {
  std::vector<unsigned long long> table(static_cast<size_t>(size + 1) * (count + 1));
  for (int i = 0; i <= size; i++) {
    for (int c = 0; c <= count; c++) {
      table[i * (count + 1) + c] =
          i == 0 ? 1
          : c == 0
              ? 0
              : table[i * (count + 1) + c - 1] + table[(i - 1) * (count + 1) + c - 1];
    }
  }
  return table;
}

/** Searches of sums of some rows. */
struct Search {
  const Rows& rows;
  const int size, tail, deciding;
  const std::vector<unsigned long long> counts;
  const DeviceArray<unsigned long long> binomial;
  const int64_t sums, table_sums;
  DeviceArray<uint32_t> table;
  DeviceArray<unsigned long long> found;

  Search(const Rows& rows, int size, int tail, int deciding)
      : rows(rows),
        size(size),
        tail(tail),
        deciding(deciding),
        counts(binomials(rows.count, size)),
        binomial(counts),
        sums(counts[size * (rows.count + 1) + rows.count]),
        table_sums(counts[tail * (rows.count + 1) + rows.count]),
        table(table_sums * deciding),
        found(1) {
    launch(sums_table, blocks_of(ceil_div(table_sums, 256)), 256, 0,
           SumTableArguments{rows.data.data, binomial.data, table.data, table_sums, rows.count,
                             rows.words, rows.row_words, deciding, tail});
  }

  /** Returns the lightest sum, or, with numbers, how many are light. */
  unsigned long long run(int64_t first, int64_t count, int max_weight,
                         const DeviceArray<unsigned long long>* numbers = nullptr) {
    const unsigned long long no_number = (1ull << 52) - 1;
    found.write({numbers == nullptr ? static_cast<unsigned long long>(max_weight) << 52 | no_number
                                    : 0});
    const auto kernel = deciding == 2 ? sums_light_2 : deciding == 4 ? sums_light_4 : sums_light_0;
    const int shared = 32 * (deciding + static_cast<int>(ceil_div(size, 2)));
    launch(kernel, blocks_of(ceil_div(count, 8 * 4096), resident_blocks(kernel, 256, shared)), 256,
           shared,
           LightSumsArguments{rows.data.data, binomial.data, table.data, found.data,
                              numbers == nullptr ? nullptr : numbers->data, first, count, table_sums,
                              numbers == nullptr ? 0 : static_cast<int>(numbers->count), rows.count,
                              size, tail, rows.words, rows.row_words, deciding, max_weight});
    return found.read()[0];
  }
};

/** Returns the lightest word of walks. */
inline unsigned long long walks(const Rows& rows, int depth, int deciding, int64_t count,
                                int max_weight) {
  DeviceArray<unsigned long long> found(1);
  found.write({static_cast<unsigned long long>(max_weight) << 52 | ((1ull << 52) - 1)});
  const auto kernel = deciding == 2   ? trials_2
                      : deciding == 3 ? trials_3
                      : deciding == 4 ? trials_4
                                      : trials_0;
  const int stride = rows.row_words | 1;
  const int shared = 4 * (rows.count * stride + 8);
  const int steps = ceil_div(int64_t{rows.count} * rows.length, rows.count + rows.length);
  launch(kernel, blocks_of(count, resident_blocks(kernel, 128, shared)), 128, shared,
         TrialsArguments{rows.data.data, found.data, 7, 3, count, rows.count, rows.length, rows.words,
                         rows.row_words, stride, deciding, depth, steps, 4 * steps, 3});
  return found.read()[0];
}

}  // namespace sums_of_rows
