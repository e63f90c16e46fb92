package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/**
 * Calls the functions of {@code libcuda}; each method gives the C signature.
 *
 * <p>A method throws a {@link CudaException} if the driver reports an error. A method that returns
 * a {@code boolean} maps one result code to {@code false}. Arguments are handles, addresses of
 * native memory, addresses of device memory, and numbers.
 */
final class DriverCalls {

  private final SymbolLookup library;

  private final NativeFunction getErrorName = find("cuGetErrorName");
  private final NativeFunction getErrorString = find("cuGetErrorString");
  private final NativeFunction init = find("cuInit");
  private final NativeFunction deviceGetCount = find("cuDeviceGetCount");
  private final NativeFunction deviceGet = find("cuDeviceGet");
  private final NativeFunction deviceGetName = find("cuDeviceGetName");
  private final NativeFunction deviceTotalMem = find("cuDeviceTotalMem_v2");
  private final NativeFunction deviceGetAttribute = find("cuDeviceGetAttribute");
  private final NativeFunction primaryContextRetain = find("cuDevicePrimaryCtxRetain");
  private final NativeFunction primaryContextRelease = find("cuDevicePrimaryCtxRelease_v2");
  private final NativeFunction contextSetCurrent = find("cuCtxSetCurrent");
  private final NativeFunction contextSynchronize = find("cuCtxSynchronize");
  private final NativeFunction deviceCanAccessPeer = find("cuDeviceCanAccessPeer");
  private final NativeFunction contextEnablePeerAccess = find("cuCtxEnablePeerAccess");
  private final NativeFunction memGetInfo = find("cuMemGetInfo_v2");
  private final NativeFunction memAlloc = find("cuMemAlloc_v2");
  private final NativeFunction memFree = find("cuMemFree_v2");
  private final NativeFunction memHostAlloc = find("cuMemHostAlloc");
  private final NativeFunction memFreeHost = find("cuMemFreeHost");
  private final NativeFunction memHostRegister = find("cuMemHostRegister_v2");
  private final NativeFunction memHostUnregister = find("cuMemHostUnregister");
  private final NativeFunction pointerGetAttribute = find("cuPointerGetAttribute");
  private final NativeFunction copyHostToDevice = find("cuMemcpyHtoDAsync_v2");
  private final NativeFunction copyDeviceToHost = find("cuMemcpyDtoHAsync_v2");
  private final NativeFunction copyDeviceToDevice = find("cuMemcpyDtoDAsync_v2");
  private final NativeFunction copyFromPeer = find("cuMemcpyPeerAsync");
  private final NativeFunction copy2D = find("cuMemcpy2DAsync_v2");
  private final NativeFunction setBytes = find("cuMemsetD8Async");
  private final NativeFunction streamCreate = find("cuStreamCreate");
  private final NativeFunction streamDestroy = find("cuStreamDestroy_v2");
  private final NativeFunction streamSynchronize = find("cuStreamSynchronize");
  private final NativeFunction streamQuery = find("cuStreamQuery");
  private final NativeFunction streamWaitEvent = find("cuStreamWaitEvent");
  private final NativeFunction eventCreate = find("cuEventCreate");
  private final NativeFunction eventDestroy = find("cuEventDestroy_v2");
  private final NativeFunction eventRecord = find("cuEventRecord");
  private final NativeFunction eventSynchronize = find("cuEventSynchronize");
  private final NativeFunction eventQuery = find("cuEventQuery");
  private final NativeFunction eventElapsedTime = find("cuEventElapsedTime_v2");
  private final NativeFunction moduleLoadData = find("cuModuleLoadData");
  private final NativeFunction moduleUnload = find("cuModuleUnload");
  private final NativeFunction moduleGetFunction = find("cuModuleGetFunction");
  private final NativeFunction functionSetAttribute = find("cuFuncSetAttribute");
  private final NativeFunction functionGetAttribute = find("cuFuncGetAttribute");
  private final NativeFunction occupancy = find("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  private final NativeFunction launchKernel = find("cuLaunchKernel");

  /**
   * Looks up all functions.
   *
   * @throws MissingSymbolException if the library lacks one
   */
  DriverCalls(SymbolLookup library) throws MissingSymbolException {
    this.library = library;
    super(); // runs the field initializers, which use the library
  }

  /**
   * Returns the CUDA version of the driver by {@code CUresult cuDriverGetVersion(int
   * *driverVersion)}. It is called first, because an old driver may lack other functions.
   *
   * @return 1000 × major + 10 × minor; 0 if the driver reports an error
   * @throws MissingSymbolException if the library is not an NVIDIA driver
   */
  static int version(SymbolLookup library) throws MissingSymbolException {
    NativeFunction getVersion = find(library, "cuDriverGetVersion");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(ValueLayout.JAVA_INT);
      int result = getVersion.call(version.address());
      return result == CudaError.SUCCESS ? version.get(ValueLayout.JAVA_INT, 0) : 0;
    }
  }

  /** {@code CUresult cuInit(unsigned int Flags)}. */
  void init(int flags) {
    check(init, init.call(flags));
  }

  /** {@code CUresult cuDeviceGetCount(int *count)}. */
  void deviceGetCount(long count) {
    check(deviceGetCount, deviceGetCount.call(count));
  }

  /** {@code CUresult cuDeviceGet(CUdevice *device, int ordinal)}. */
  void deviceGet(long device, int ordinal) {
    check(deviceGet, deviceGet.call(device, ordinal));
  }

  /** {@code CUresult cuDeviceGetName(char *name, int len, CUdevice dev)}. */
  void deviceGetName(long name, int length, int device) {
    check(deviceGetName, deviceGetName.call(name, length, device));
  }

  /** {@code CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)}. */
  void deviceTotalMem(long bytes, int device) {
    check(deviceTotalMem, deviceTotalMem.call(bytes, device));
  }

  /** {@code CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)}. */
  void deviceGetAttribute(long value, int attribute, int device) {
    check(deviceGetAttribute, deviceGetAttribute.call(value, attribute, device));
  }

  /** {@code CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)}. */
  void primaryContextRetain(long context, int device) {
    check(primaryContextRetain, primaryContextRetain.call(context, device));
  }

  /** {@code CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)}. */
  void primaryContextRelease(int device) {
    check(primaryContextRelease, primaryContextRelease.call(device));
  }

  /** {@code CUresult cuCtxSetCurrent(CUcontext ctx)}. */
  void contextSetCurrent(long context) {
    check(contextSetCurrent, contextSetCurrent.call(context));
  }

  /** {@code CUresult cuCtxSynchronize(void)}. */
  void contextSynchronize() {
    check(contextSynchronize, contextSynchronize.call());
  }

  /** {@code CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)}. */
  void deviceCanAccessPeer(long answer, int device, int peer) {
    check(deviceCanAccessPeer, deviceCanAccessPeer.call(answer, device, peer));
  }

  /**
   * {@code CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)}.
   *
   * @return false if the hardware has no such path or too many peers are enabled
   */
  boolean contextEnablePeerAccess(long peer, int flags) {
    int result = contextEnablePeerAccess.call(peer, flags);
    if (result == CudaError.PEER_ACCESS_UNSUPPORTED || result == CudaError.TOO_MANY_PEERS) {
      return false;
    }
    if (result != CudaError.PEER_ACCESS_ALREADY_ENABLED) {
      check(contextEnablePeerAccess, result);
    }
    return true;
  }

  /** {@code CUresult cuMemGetInfo_v2(size_t *free, size_t *total)}. */
  void memGetInfo(long free, long total) {
    check(memGetInfo, memGetInfo.call(free, total));
  }

  /** {@code CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)}. */
  void memAlloc(long address, long bytes) {
    checkMemory(memAlloc, memAlloc.call(address, bytes), bytes);
  }

  /** {@code CUresult cuMemFree_v2(CUdeviceptr dptr)}. */
  void memFree(long address) {
    check(memFree, memFree.call(address));
  }

  /** {@code CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)}. */
  void memHostAlloc(long address, long bytes, int flags) {
    checkMemory(memHostAlloc, memHostAlloc.call(address, bytes, flags), bytes);
  }

  /** {@code CUresult cuMemFreeHost(void *p)}. */
  void memFreeHost(long address) {
    check(memFreeHost, memFreeHost.call(address));
  }

  /**
   * {@code CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)}.
   *
   * @return whether the memory is pinned now
   */
  boolean memHostRegister(long address, long bytes, int flags) {
    return memHostRegister.call(address, bytes, flags) == CudaError.SUCCESS;
  }

  /** {@code CUresult cuMemHostUnregister(void *p)}. */
  void memHostUnregister(long address) {
    check(memHostUnregister, memHostUnregister.call(address));
  }

  /**
   * {@code CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr
   * ptr)}.
   *
   * @return false if the driver does not know the address
   */
  boolean pointerGetAttribute(long value, int attribute, long address) {
    int result = pointerGetAttribute.call(value, attribute, address);
    if (result == CudaError.INVALID_VALUE) {
      return false;
    }
    check(pointerGetAttribute, result);
    return true;
  }

  /**
   * {@code CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t
   * ByteCount, CUstream hStream)}.
   */
  void copyHostToDevice(long to, long from, long bytes, long stream) {
    check(copyHostToDevice, copyHostToDevice.call(to, from, bytes, stream));
  }

  /**
   * {@code CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
   * CUstream hStream)}.
   */
  void copyDeviceToHost(long to, long from, long bytes, long stream) {
    check(copyDeviceToHost, copyDeviceToHost.call(to, from, bytes, stream));
  }

  /**
   * {@code CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t
   * ByteCount, CUstream hStream)}.
   */
  void copyDeviceToDevice(long to, long from, long bytes, long stream) {
    check(copyDeviceToDevice, copyDeviceToDevice.call(to, from, bytes, stream));
  }

  /**
   * {@code CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr
   * srcDevice, CUcontext srcContext, size_t ByteCount, CUstream hStream)}.
   */
  void copyFromPeer(long to, long toContext, long from, long fromContext, long bytes, long stream) {
    check(copyFromPeer, copyFromPeer.call(to, toContext, from, fromContext, bytes, stream));
  }

  /** {@code CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream)}. */
  void copy2D(long description, long stream) {
    check(copy2D, copy2D.call(description, stream));
  }

  /**
   * {@code CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream
   * hStream)}. A narrow argument travels in a whole register.
   */
  void setBytes(long to, int value, long bytes, long stream) {
    check(setBytes, setBytes.call(to, value, bytes, stream));
  }

  /** {@code CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)}. */
  void streamCreate(long stream, int flags) {
    check(streamCreate, streamCreate.call(stream, flags));
  }

  /** {@code CUresult cuStreamDestroy_v2(CUstream hStream)}. */
  void streamDestroy(long stream) {
    check(streamDestroy, streamDestroy.call(stream));
  }

  /** {@code CUresult cuStreamSynchronize(CUstream hStream)}. */
  void streamSynchronize(long stream) {
    check(streamSynchronize, streamSynchronize.call(stream));
  }

  /**
   * {@code CUresult cuStreamQuery(CUstream hStream)}.
   *
   * @return whether all of its work is done
   */
  boolean streamQuery(long stream) {
    return isReady(streamQuery, streamQuery.call(stream));
  }

  /** {@code CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)}. */
  void streamWaitEvent(long stream, long event, int flags) {
    check(streamWaitEvent, streamWaitEvent.call(stream, event, flags));
  }

  /** {@code CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)}. */
  void eventCreate(long event, int flags) {
    check(eventCreate, eventCreate.call(event, flags));
  }

  /** {@code CUresult cuEventDestroy_v2(CUevent hEvent)}. */
  void eventDestroy(long event) {
    check(eventDestroy, eventDestroy.call(event));
  }

  /** {@code CUresult cuEventRecord(CUevent hEvent, CUstream hStream)}. */
  void eventRecord(long event, long stream) {
    check(eventRecord, eventRecord.call(event, stream));
  }

  /** {@code CUresult cuEventSynchronize(CUevent hEvent)}. */
  void eventSynchronize(long event) {
    check(eventSynchronize, eventSynchronize.call(event));
  }

  /**
   * {@code CUresult cuEventQuery(CUevent hEvent)}.
   *
   * @return whether the preceding work has completed
   */
  boolean eventQuery(long event) {
    return isReady(eventQuery, eventQuery.call(event));
  }

  /** {@code CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)}. */
  void eventElapsedTime(long milliseconds, long start, long end) {
    check(eventElapsedTime, eventElapsedTime.call(milliseconds, start, end));
  }

  /** {@code CUresult cuModuleLoadData(CUmodule *module, const void *image)}. */
  void moduleLoadData(long module, long image) {
    check(moduleLoadData, moduleLoadData.call(module, image));
  }

  /** {@code CUresult cuModuleUnload(CUmodule hmod)}. */
  void moduleUnload(long module) {
    check(moduleUnload, moduleUnload.call(module));
  }

  /**
   * {@code CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)}.
   *
   * @return false if the module has no such function
   */
  boolean moduleGetFunction(long function, long module, long name) {
    int result = moduleGetFunction.call(function, module, name);
    if (result == CudaError.NOT_FOUND) {
      return false;
    }
    check(moduleGetFunction, result);
    return true;
  }

  /**
   * {@code CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)}.
   */
  void functionSetAttribute(long function, int attribute, int value) {
    check(functionSetAttribute, functionSetAttribute.call(function, attribute, value));
  }

  /**
   * {@code CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)}.
   */
  void functionGetAttribute(long value, int attribute, long function) {
    check(functionGetAttribute, functionGetAttribute.call(value, attribute, function));
  }

  /**
   * {@code CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
   * int blockSize, size_t dynamicSMemSize)}.
   */
  void occupancy(long blocks, long function, int blockSize, long sharedBytes) {
    check(occupancy, occupancy.call(blocks, function, blockSize, sharedBytes));
  }

  /**
   * {@code CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
   * unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
   * unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)}.
   */
  void launchKernel(long function, LaunchShape shape, long stream, long parameters) {
    check(
        launchKernel,
        launchKernel.call(
            function,
            shape.gridX(),
            shape.gridY(),
            shape.gridZ(),
            shape.blockX(),
            shape.blockY(),
            1,
            shape.sharedBytes(),
            stream,
            parameters,
            0L));
  }

  /** Returns whether both call the same library, so that they can exchange handles. */
  boolean isSameLibraryAs(DriverCalls other) {
    return init.address().equals(other.init.address());
  }

  /**
   * Returns the driver's name and description of a result: {@code CUresult cuGetErrorName(CUresult
   * error, const char **pStr)}, and {@code cuGetErrorString} alike.
   */
  CudaError error(int code) {
    return new CudaError(
        code, text(getErrorName, code, "CUDA_ERROR_" + code), text(getErrorString, code, ""));
  }

  private static String text(NativeFunction describe, int code, String unknown) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
      if (describe.call(code, text.address()) != CudaError.SUCCESS) {
        return unknown;
      }
      MemorySegment string = text.get(ValueLayout.ADDRESS, 0);
      return string.address() == 0 ? unknown : string.reinterpret(Long.MAX_VALUE).getString(0);
    }
  }

  private void check(NativeFunction function, int result) {
    if (result != CudaError.SUCCESS) {
      throw new CudaException(error(result), function.name());
    }
  }

  private void checkMemory(NativeFunction function, int result, long bytes) {
    if (result == CudaError.OUT_OF_MEMORY) {
      throw new OutOfDeviceMemoryException(error(result), function.name(), bytes);
    }
    check(function, result);
  }

  private boolean isReady(NativeFunction function, int result) {
    if (result == CudaError.NOT_READY) {
      return false;
    }
    check(function, result);
    return true;
  }

  private NativeFunction find(String name) throws MissingSymbolException {
    return find(library, name);
  }

  private static NativeFunction find(SymbolLookup library, String name)
      throws MissingSymbolException {
    return new NativeFunction(
        name, library.find(name).orElseThrow(() -> new MissingSymbolException(name)));
  }
}
