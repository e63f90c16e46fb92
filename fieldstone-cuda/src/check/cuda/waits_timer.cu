// How several GPUs of one process slow each other down, and how long a waiting thread takes to wake up.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -o waits_timer fieldstone-cuda/src/check/cuda/waits_timer.cu
//   ./waits_timer
//
// A thread for each GPU, at the same time. For each way to wait: how long after a kernel has ended its
// thread goes on, and how long all of it takes beside one GPU alone: 1 if the GPUs work side by side,
// as many as there are GPUs if a wait for one keeps the others from beginning. Then how fast copies
// are, from and to memory that GPU 0 has pinned, of each GPU alone and of all at once.

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "check.cuh"

namespace {

constexpr int ROUNDS = 200;
constexpr size_t COPY_BYTES = size_t{256} << 20;

__global__ void work_for(uint64_t nanoseconds) {
  uint64_t begin;
  uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Lets threads begin a round together.
class Barrier {
 public:
  explicit Barrier(int threads) : threads_(threads) {}
  void meet() {
    int round = round_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_ = 0;
      round_++;
    } else {
      while (round_.load() == round) {
      }
    }
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> round_{0};
};

struct Gpu {
  cudaStream_t stream;
  cudaEvent_t sleeping;
  cudaEvent_t polled;
};

std::vector<Gpu> gpus;

using Wait = std::function<void(const Gpu&)>;

// Median milliseconds of a round in which each of the first `count` GPUs works once.
double round_millis(int first, int count, double work_millis, double delay_millis, const Wait& wait) {
  std::vector<double> rounds(ROUNDS);
  Barrier barrier(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++) {
    threads.emplace_back([&, i] {
      const Gpu& gpu = gpus[first + i];
      REQUIRE(cudaSetDevice(first + i));
      for (double& round : rounds) {
        barrier.meet();
        double begin = seconds();
        // Later ones begin while the first waits already.
        while (seconds() - begin < i * delay_millis / 1e3) {
        }
        work_for<<<1, 1, 0, gpu.stream>>>(static_cast<uint64_t>(work_millis * 1e6));
        REQUIRE(cudaEventRecord(gpu.sleeping, gpu.stream));
        REQUIRE(cudaEventRecord(gpu.polled, gpu.stream));
        wait(gpu);
        barrier.meet();
        if (i == 0) round = (seconds() - begin) * 1e3;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return median(rounds);
}

// Median microseconds until a thread that sleeps is awake after another has said so.
double thread_wake_micros() {
  std::mutex mutex;
  std::condition_variable told;
  double said = 0;
  bool ready = false;
  bool ended = false;
  std::vector<double> latencies;
  std::thread sleeper([&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!ended) {
      told.wait(lock, [&] { return ready || ended; });
      if (ready) latencies.push_back((seconds() - said) * 1e6);
      ready = false;
    }
  });
  for (int i = 0; i < ROUNDS; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::lock_guard<std::mutex> lock(mutex);
    said = seconds();
    ready = true;
    told.notify_one();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  {
    std::lock_guard<std::mutex> lock(mutex);
    ended = true;
    told.notify_one();
  }
  sleeper.join();
  return median(latencies);
}

void waits(int count) {
  printf("a thread sleeps and is woken: %.0f us\n", thread_wake_micros());
  const std::vector<std::pair<const char*, Wait>> ways = {
      {"stream synchronize", [](const Gpu& gpu) { REQUIRE(cudaStreamSynchronize(gpu.stream)); }},
      {"sleep for an event", [](const Gpu& gpu) { REQUIRE(cudaEventSynchronize(gpu.sleeping)); }},
      {"ask an event", [](const Gpu& gpu) {
         cudaError_t state;
         while ((state = cudaEventQuery(gpu.polled)) == cudaErrorNotReady) {
         }
         REQUIRE(state);
       }}};
  for (double work : {0.1, 0.8, 4.0}) {
    for (const auto& [name, wait] : ways) {
      double alone = round_millis(0, 1, work, 0, wait);
      double together = round_millis(0, count, work, 0, wait);
      double delayed = round_millis(0, count, work, 0.05, wait);
      printf(
          "%.1f ms of work, %-18s: after it %4.0f us; %d at once %.2f of one alone, begun 50 us apart "
          "%.2f\n",
          work, name, (alone - work) * 1e3, count, together / alone, delayed / alone);
    }
  }
}

void copies(int count) {
  std::vector<uint8_t*> device(count);
  uint8_t* host;
  REQUIRE(cudaSetDevice(0));
  REQUIRE(cudaHostAlloc(&host, COPY_BYTES * count, cudaHostAllocPortable));
  for (int i = 0; i < count; i++) {
    REQUIRE(cudaSetDevice(i));
    REQUIRE(cudaMalloc(&device[i], COPY_BYTES));
  }
  for (bool up : {true, false}) {
    auto rate = [&](int first, int gpus_used) {
      std::vector<double> rates;
      for (int round = 0; round < 10; round++) {
        double begin = seconds();
        for (int i = first; i < first + gpus_used; i++) {
          REQUIRE(cudaSetDevice(i));
          uint8_t* part = host + i * COPY_BYTES;
          REQUIRE(cudaMemcpyAsync(
              up ? device[i] : part, up ? part : device[i], COPY_BYTES, cudaMemcpyDefault,
              gpus[i].stream));
        }
        for (int i = first; i < first + gpus_used; i++) {
          REQUIRE(cudaStreamSynchronize(gpus[i].stream));
        }
        rates.push_back(gpus_used * COPY_BYTES / (seconds() - begin) / 1e9);
      }
      return median(rates);
    };
    double sum = 0;
    printf("copies %s, memory pinned by GPU 0, GB/s:", up ? "up" : "down");
    for (int i = 0; i < count; i++) {
      double alone = rate(i, 1);
      sum += alone;
      printf(" %.1f", alone);
    }
    double all = rate(0, count);
    printf("; all at once %.1f, %.2f of their sum\n", all, all / sum);
  }
}

}  // namespace

int main() {
  int count;
  REQUIRE(cudaGetDeviceCount(&count));
  gpus.resize(count);
  for (int i = 0; i < count; i++) {
    REQUIRE(cudaSetDevice(i));
    REQUIRE(cudaStreamCreateWithFlags(&gpus[i].stream, cudaStreamNonBlocking));
    REQUIRE(cudaEventCreateWithFlags(
        &gpus[i].sleeping, cudaEventBlockingSync | cudaEventDisableTiming));
    REQUIRE(cudaEventCreateWithFlags(&gpus[i].polled, cudaEventDisableTiming));
  }
  printf("%d GPUs\n", count);
  waits(count);
  copies(count);
  return 0;
}
