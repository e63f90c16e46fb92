# Chooses how the JVM runs a command, whose arguments are $@. Both launchers read this; lib is its directory. It sets
# - cached, the cache of classes: the JVM loads all classes of one at its start, so the network has its own;
# - compilation, options: compiling shares the processors with the command (docs/benchmarks/files.md and net.md).
command=${1:-}
case $command in
  --version | --help) command=fieldstone ;;
  peer) command=${3:-} ;; # a process of the benchmark does as its first argument
esac
# The profile that the command declares, and the options with which Java does its work (cli.console.StartUp).
profile= c2_options=
while read -r name declared options; do
  if [ "$name" = "$command" ]; then profile=$declared c2_options=$options; break; fi
done <"$lib/jvm.commands"
case $profile in transfer | service) cached=network ;; *) cached=files ;; esac
few=
if read -r processors </sys/devices/system/cpu/online && [ "${processors##*[-,]}" -lt 3 ]; then few=few-; fi 2>/dev/null

# Tests whether the arguments $@ leave the work to native kernels, or have little. Kernels are loaded from a file in
# memory, so they need file sizes without limit.
runs_natively() {
  for option in $c2_options; do
    case "$option $*" in
      "!"*" ${option#!}"*) ;;
      "!"* | *" $option"*) return 1 ;;
    esac
  done
  case "$* ${FIELDSTONE_JAVA_OPTS:-}" in *--engine*cpu:* | *fieldstone.native*) return 1 ;; esac
  [ "$(ulimit -f)" = unlimited ] && grep -Eqwm1 'avx2|asimd' /proc/cpuinfo 2>/dev/null
}

compilation=-XX:-AOTReplayTraining # do not compile at once what the training compiled
case $few$profile in
  c1 | few-c1 | few-transfer)
    # The JVM would reserve 48 MB for the code of C1, and collect garbage when a seventh is full, within a short command.
    if runs_natively "$@"; then
      compilation="$compilation -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
    fi
    ;;
  few-service) # the second compiler gets only what runs ten times as often as by default
    compilation="$compilation -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000"
    compilation="$compilation -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
    ;;
  transfer | service) compilation=-XX:+AOTReplayTraining ;;
esac
