#!/usr/bin/env bash
# Provides an engine for the container tests: podman with a socket, and two small images created from programs of this
# machine, so that no registry is needed:
#   localhost/emu-test/busybox:latest   a shell with small programs
#   localhost/emu-test/node:latest      the same with this machine's node
# For root on Debian. Can be run repeatedly. Fails with a reason if it is impossible; tests that need an engine are then
# skipped. The last output line is the address of the engine.
set -euo pipefail
socket=/run/podman/podman.sock

give_up() { echo "no container engine for tests: $1" >&2; exit 1; }
answers() { curl -sf --max-time 5 --unix-socket "$socket" http://localhost/_ping >/dev/null 2>&1; }

[ "$(id -u)" = 0 ] || give_up 'this is not root'
missing=
for program in podman runc busybox iptables curl; do command -v "$program" >/dev/null || missing=1; done
if [ "$missing" ]; then
  command -v apt-get >/dev/null || give_up 'there is no apt-get to install podman with'
  export DEBIAN_FRONTEND=noninteractive
  # netavark creates networks with iptables; aardvark-dns resolves the names in them.
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    podman runc busybox-static netavark aardvark-dns iptables curl; } >/dev/null 2>&1 || give_up 'podman cannot be installed'
fi

# Limits of processes and files that are allowed without full root rights; runc also works on machines whose control
# groups are too old for crun, the default.
mkdir -p /etc/containers/containers.conf.d
cat > /etc/containers/containers.conf.d/emu-test.conf <<'CONF'
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]

[engine]
runtime = "runc"
CONF

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A file system with busybox under all of its names.
make_busybox() {
  mkdir -p "$1/bin" "$1/etc" "$1/tmp"
  cp "$(command -v busybox)" "$1/bin/busybox"
  busybox --list | while read -r name; do [ "$name" = busybox ] || ln -sf busybox "$1/bin/$name"; done
}

# Node with its shared libraries.
add_node() {
  local node library
  node=$(readlink -f "$(command -v node)")
  mkdir -p "$1/usr/bin"
  cp "$node" "$1/usr/bin/node"
  ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
}

make_image() {
  local name=localhost/emu-test/$1:latest command=$2
  podman image exists "$name" && return
  make_busybox "$work/$1"
  [ "$1" = node ] && add_node "$work/$1"
  tar -C "$work/$1" -c . | podman import --quiet -c 'ENV PATH=/usr/bin:/bin' -c "CMD [\"$command\"]" - "$name" >/dev/null
}
make_image busybox /bin/sh || give_up 'podman cannot make an image'
make_image node /usr/bin/node || give_up 'podman cannot make an image'

if ! answers; then
  mkdir -p "${socket%/*}"
  # In the root directory, because podman's helpers leave files in the working directory. Remaining processes must not
  # hold this script's output open, because its reader waits for the end.
  (cd / && exec setsid nohup podman system service --time=0 "unix://$socket") >/dev/null 2>&1 </dev/null &
  for _ in $(seq 50); do answers && break; sleep 0.1; done
fi
answers || give_up 'podman does not answer on its socket'
timeout 60 podman run --rm localhost/emu-test/busybox:latest true >/dev/null 2>&1 || give_up 'podman cannot run a container here'
echo "DOCKER_HOST=unix://$socket"
