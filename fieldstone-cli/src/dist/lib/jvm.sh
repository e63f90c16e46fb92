# Chooses how the JVM runs a command, whose arguments are $@; both launchers read this. Sets cached, the cache of classes
# (the JVM loads all classes of a cache at its start, so the network has one of its own), and compilation, options.
#
# Compiling shares the processors with the command. Figures: docs/benchmarks/files.md and net.md.
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
  *--version | *--help | *crc | *encode | *decode | *recode | *protect | *verify | *repair | few-inspect | few-fetch | few-demo)
    # The first compiler is enough where native kernels do the work. Ciphers, small blocks, version 1 and chosen methods
    # need the second.
    case "$*" in
      *--key* | *--encrypt* | *--block-size* | *--format* | *--method*) ;;
      *)
        if grep -Eqwm1 'avx2|asimd' /proc/cpuinfo 2>/dev/null; then
          compilation="$compilation -XX:TieredStopAtLevel=1"
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
