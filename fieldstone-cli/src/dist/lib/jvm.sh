# Chooses how the JVM runs a command, whose arguments are $@. Both launchers read this. It sets
# - cached, the cache of classes: the JVM loads all classes of one at its start, so the network has its own;
# - compilation, options: compiling shares the processors with the command (docs/benchmarks/files.md and net.md).
few=
if read -r processors </sys/devices/system/cpu/online && [ "${processors##*[-,]}" -lt 3 ]; then few=few-; fi 2>/dev/null
command=${1:-}
cached=files
case $command in
  serve | relay | fetch | demo) cached=network ;;
  peer) cached=network command=${3:-} ;; # a process of the benchmark does as its first argument
esac
compilation=-XX:-AOTReplayTraining # do not compile at once what the training compiled
case $few$command in
  *--version | *--help | *crc | *encode | *decode | *recode | *inspect | *protect | *verify | *repair | \
    few-fetch | few-demo)
    # The first compiler is enough where native kernels do the work. The JVM would reserve 48 MB for its code, and collect
    # garbage when a seventh is full, within a short command. Kernels are loaded from a file in memory, so they need
    # file sizes without limit. Ciphers, small blocks, chosen methods and kernels in Java need the second compiler.
    case "$* ${FIELDSTONE_JAVA_OPTS:-}" in
      *--key* | *--encrypt* | *--block-size* | *--method* | *--engine*cpu:* | *fieldstone.native*) ;;
      *)
        if [ "$(ulimit -f)" = unlimited ] && grep -Eqwm1 'avx2|asimd' /proc/cpuinfo 2>/dev/null; then
          compilation="$compilation -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
        fi
        ;;
    esac
    ;;
  few-serve | few-relay) # the second compiler gets only what runs ten times as often as by default
    compilation="$compilation -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000"
    compilation="$compilation -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
    ;;
  serve | relay | fetch | demo) compilation=-XX:+AOTReplayTraining ;;
esac
