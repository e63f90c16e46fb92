// Times the kernels of substitution and of progressive decoding. HPDS and its baseline are those of
// fieldstone-papers.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -I fieldstone-cuda/src/main/cuda -o solve_timer
//       fieldstone-cuda/src/check/cuda/solve_timer.cu
//   ./solve_timer [progressive] [substitution]

#include <chrono>

#include "check.cuh"
#include "launch_solutions.cuh"

namespace {

using namespace solutions;

__global__ void empty() {}

double microseconds_since(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

/** Median wall time, launch to synchronised, of some runs after one more, in µs. */
template <class Work>
double time_runs(int runs, cudaStream_t stream, Work&& work) {
  std::vector<double> times;
  for (int i = 0; i <= runs; i++) {
    const auto from = std::chrono::steady_clock::now();
    work();
    REQUIRE(cudaStreamSynchronize(stream));
    if (i > 0) {
      times.push_back(microseconds_since(from));
    }
  }
  return median(times);
}

/** The same work recorded once and replayed as a graph. */
template <class Work>
double time_graph(int runs, cudaStream_t stream, Work&& work) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  work();
  REQUIRE(cudaStreamEndCapture(stream, &graph));
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0));
  const double time =
      time_runs(runs, stream, [&] { REQUIRE(cudaGraphLaunch(executable, stream)); });
  REQUIRE(cudaGraphExecDestroy(executable));
  REQUIRE(cudaGraphDestroy(graph));
  return time;
}

void time_substitution(const Field& field, int n, int64_t k, cudaStream_t stream) {
  const Generation generation(field, n, k);
  printf("\npipeline code, %d frames of %d bytes: µs a generation, and MB/s\n", n,
         static_cast<int>(k));
  const auto print = [&](const std::string& what, double time) {
    printf("  %-46s %10.1f µs %10.0f MB/s\n", what.c_str(), time, n * k / time);
  };
  const auto by_frames = [&](const std::string& what, Frames how, int vectors, int block) {
    const auto work = [&] { generation.solve(how, vectors, block, stream); };
    print(what + ", frame by frame", time_runs(3, stream, work));
    print(what + ", frame by frame, as a graph", time_graph(3, stream, work));
  };
  by_frames("baseline", Frames::kBaseline, 1, 128);
  by_frames("HPDS", Frames::kHpds, 1, 0);
  for (const int vectors : {1, 2, 4}) {
    for (const int block : {256, 512}) {
      by_frames("fieldstone, " + std::to_string(vectors) + " vectors, block " +
                    std::to_string(block),
                Frames::kSubstitution, vectors, block);
    }
  }
  for (const int b : {32, 64, 128}) {
    print("the diagonal, b=" + std::to_string(b),
          time_runs(20, stream, [&] { generation.invert_diagonal(b, stream); }));
  }
}

void time_progressive(const Field& field, int n, int64_t k, int samples, cudaStream_t stream) {
  printf("\nprogressive, n=%d k=%d: medians of µs from launch to synchronised\n", n,
         static_cast<int>(k));
  const int64_t bytes = n + k;
  const std::vector<uint8_t> blocks = random_bytes(bytes * n);
  const DeviceArray<uint8_t> on_device(blocks);
  const Mapped on_host(bytes * n);
  memcpy(on_host.host, blocks.data(), blocks.size());
  for (const bool mapped : {false, true}) {
    const uint8_t* arriving = mapped ? on_host.device : on_device.data;
    for (const int vectors : {2, 4, 8, 16}) {
      for (const int block : {256, 512}) {
        Progressive decoder(field, n, k, vectors, block);
        const Mapped status(decoder.status_bytes());
        const auto* seen = reinterpret_cast<const ProgressiveStatus*>(status.host);
        std::vector<double> floors, times;
        for (int i = 0; i < samples + n; i++) {  // the first generation warms up
          if (i % n == 0) {
            decoder.reset();
            REQUIRE(cudaDeviceSynchronize());
          }
          auto from = std::chrono::steady_clock::now();
          empty<<<1, 32, 0, stream>>>();
          REQUIRE(cudaStreamSynchronize(stream));
          const double floor = microseconds_since(from);
          from = std::chrono::steady_clock::now();
          const uint8_t* arrived = arriving + bytes * (i % n);
          decoder.add(arrived, arrived + n, status.device, seen->rank % n, stream);
          REQUIRE(cudaStreamSynchronize(stream));
          if (i >= n) {
            floors.push_back(floor);
            times.push_back(microseconds_since(from));
          }
        }
        printf("  %-6s vectors %2d block %d: %6.2f, empty kernel %6.2f, ratio %.2f (rank %d)\n",
               mapped ? "mapped" : "device", vectors, block, median(times), median(floors),
               median(times) / median(floors), seen->rank);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  REQUIRE(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  const Sections sections(count, arguments);
  const Field field;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  if (sections.has("progressive")) {
    time_progressive(field, 128, 4096, 1000, stream);
    time_progressive(field, 1024, 2048, 1024, stream);
  }
  if (sections.has("substitution")) {
    const int shapes[][2] = {{2048, 1024}, {1024, 1024}, {512, 4096}, {256, 8192}, {128, 4096}};
    for (const auto& shape : shapes) {
      time_substitution(field, shape[0], shape[1], stream);
    }
  }
  return 0;
}
