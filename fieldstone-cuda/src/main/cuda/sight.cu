// Lines of sight over terrain: the margin of each path, by a warp. Lanes take samples in turn, so
// that those of a warp are neighbours on the path; the grid of heights stays in the cache.
//
// Every operation is rounded to single precision, and none is fused: margins equal those of
// io.fieldstone.engine.terrain.SightPaths, which defines them.

#include "fieldstone.cuh"

/** Arguments of sight_margins. */
struct SightArguments {
  /** Heights of rows × columns points, row by row; both are at least 2. */
  const float* heights;
  /**
   * Nine floats of each path: row, column and height of one end and of the other; bends of rows and
   * of columns; the length.
   */
  const float* paths;
  /** Receives the margin of each path. */
  float* margins;
  int64_t count;
  int32_t rows;
  int32_t columns;
  float curvature;
  float zone;
};

namespace {

constexpr int kFields = 9;

__device__ float between(float from, float to, float bend, float t, float u, float both) {
  return __fadd_rn(__fadd_rn(__fmul_rn(from, u), __fmul_rn(to, t)), __fmul_rn(bend, both));
}

__device__ float mixed(float from, float to, float share) {
  return __fadd_rn(from, __fmul_rn(share, __fsub_rn(to, from)));
}

}  // namespace

extern "C" __global__ void sight_margins(const __grid_constant__ SightArguments a) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t warps = launch_threads() / kWarpSize;
  const int64_t first = launch_thread() / kWarpSize;
  const float last_row = static_cast<float>(a.rows - 1);
  const float last_column = static_cast<float>(a.columns - 1);
  for (int64_t path = first; path < a.count; path += warps) {
    const float* fields = a.paths + path * kFields;
    const float row0 = fields[0], column0 = fields[1], height0 = fields[2];
    const float row1 = fields[3], column1 = fields[4], height1 = fields[5];
    const float row_bend = fields[6], column_bend = fields[7], length = fields[8];
    const float span = fmaxf(fabsf(__fsub_rn(row1, row0)), fabsf(__fsub_rn(column1, column0)));
    const int steps = max(1, static_cast<int>(ceilf(span)));
    const float share = __fdiv_rn(1.0f, static_cast<float>(steps));
    const float square = __fmul_rn(length, length);
    float least = INFINITY;
    for (int i = 1 + lane; i < steps; i += kWarpSize) {
      const float t = __fmul_rn(static_cast<float>(i), share);
      const float u = __fsub_rn(1.0f, t);
      const float both = __fmul_rn(t, u);
      const float row = fmaxf(0.0f, fminf(between(row0, row1, row_bend, t, u, both), last_row));
      const float column =
          fmaxf(0.0f, fminf(between(column0, column1, column_bend, t, u, both), last_column));
      const int r0 = min(static_cast<int>(row), a.rows - 2);
      const int c0 = min(static_cast<int>(column), a.columns - 2);
      const float down = __fsub_rn(row, static_cast<float>(r0));
      const float right = __fsub_rn(column, static_cast<float>(c0));
      const float* at = a.heights + static_cast<int64_t>(r0) * a.columns + c0;
      const float upper = mixed(__ldg(at), __ldg(at + 1), right);
      const float lower = mixed(__ldg(at + a.columns), __ldg(at + a.columns + 1), right);
      const float ground = mixed(upper, lower, down);
      const float line = __fadd_rn(__fmul_rn(height0, u), __fmul_rn(height1, t));
      const float bulge = __fmul_rn(__fmul_rn(square, both), a.curvature);
      const float radius = __fsqrt_rn(__fmul_rn(__fmul_rn(length, both), a.zone));
      least = fminf(least, __fsub_rn(__fsub_rn(__fsub_rn(line, ground), bulge), radius));
    }
    for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
      least = fminf(least, __shfl_xor_sync(0xFFFFFFFF, least, distance));
    }
    if (lane == 0) {
      a.margins[path] = least;
    }
  }
}
