#!/bin/bash
# tcp_shares.sh OUT DIRECTION FLOWS RATE_MBIT BYTES PAUSE_S SECONDS: raw TCP CUBIC flows between shaped network namespaces (root, iproute2, python3).
set -e
out=$1 direction=$2 flows=$3 rate=$4 bytes=$5 pause=$6 seconds=$7
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
/sbin/sysctl -qw net.ipv4.tcp_congestion_control=cubic
"$here/../testbed/netns.sh" down 12
"$here/../testbed/netns.sh" up $((flows + 1)) "$rate"
ip netns exec h0 python3 "$here/tcp_flows.py" server "$direction" "$flows" "$bytes" "$pause" "$seconds" "$out/server.json" &
for i in $(seq 1 "$flows"); do
  ip netns exec "h$i" python3 "$here/tcp_flows.py" "$i" "$direction" "$flows" "$bytes" "$pause" "$seconds" "$out/worker$i.json" &
done
wait
"$here/../testbed/netns.sh" down 12
