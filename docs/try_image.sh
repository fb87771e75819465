#!/usr/bin/env bash
# Builds the image without Docker, on a base that debootstrap makes, and plays a round
# through it: a server and a client in containers of buildah, by chroot.
#
#   sudo docs/try_image.sh
#
# Ends with 0 if all went well, with 1 if the image is at fault, and with 75 and a
# sentence where it cannot be tried: without root, buildah or debootstrap, or where no
# Debian mirror is reached. BASE_IMAGE_FOLDER names a base that debootstrap has made.
set -euo pipefail
cd "$(dirname "$0")/.."

cannot() { echo "The image was not tried: $1."; exit 75; }
step() { echo "== $1 =="; }

[ "$(id -u)" = 0 ] || cannot "only root can build it by chroot"
for tool in buildah debootstrap; do
  command -v "$tool" >/dev/null || cannot "$tool is not installed"
done

work=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$(first_named tini "$server")" 2>/dev/null || true
  bud umount --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
bud() {
  command buildah --root "$work/storage" --runroot "$work/run" \
    --storage-driver vfs "$@"
}
first_named() {  # NAME PROCESS: the process of that name that it has started
  local child
  for child in $(pgrep -P "$2"); do
    if [ "$(cat "/proc/$child/comm")" = "$1" ]; then echo "$child"; return; fi
    first_named "$1" "$child" && return
  done
  return 1
}
inside() { bud run --isolation chroot "$@"; }

step "the base"
base=${BASE_IMAGE_FOLDER:-$work/base}
if [ ! -d "$base" ]; then
  debootstrap --variant=minbase --include=python3,python3-venv,tini,ca-certificates \
    bookworm "$base" >"$work/base.log" 2>&1 \
    || cannot "debootstrap made no base ($(tail -n 1 "$work/base.log"))"
fi
from=$(bud from scratch)
bud copy --quiet "$from" "$base" / >/dev/null
bud commit --quiet --rm "$from" base >/dev/null

step "the image"
# What this machine trusts and installs from holds inside as well.
shared=()
for path in /etc/ssl/certs /etc/pip.conf /etc/xdg/pip /opt/wheels; do
  [ ! -e "$path" ] || shared+=(--volume "$path:$path:ro")
done
for name in $(compgen -e | grep -E '^(PIP_|SSL_CERT_|https?_proxy$|HTTPS?_PROXY$)' || true)
do
  shared+=(--env "$name=${!name}" )
done
bud build --isolation chroot --format docker --build-arg BASE=localhost/base \
  "${shared[@]}" --tag blackjack-table . >"$work/build.log" 2>&1 \
  || { tail -n 30 "$work/build.log"; exit 1; }
bud inspect --format '{{.Docker.Config.User}} {{.Docker.Config.Cmd}}' blackjack-table

step "what is in it"
house=$(bud from blackjack-table)
guest=$(bud from blackjack-table)
inside "$house" -- bj-server --version
inside "$house" -- python3 -c 'import prometheus_client, uvloop'
if inside "$house" -- python3 -m pip --version 2>/dev/null; then
  echo "pip is in the image"; exit 1
fi

# The containers are in the network of this machine: ports that nobody has.
read -r port admin_port < <(python3 -c '
import socket
ends = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(end.getsockname()[1] for end in ends))')

step "a server, and its health"
inside --env "BJ_PORT=$port" --env "BJ_ADMIN_PORT=$admin_port" "$house" -- \
  tini -s -e 2 -e 3 -e 4 -- bj-server >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  if inside --env "BJ_ADMIN_PORT=$admin_port" "$guest" -- python3 -c '
import os, urllib.request as web
port = os.environ["BJ_ADMIN_PORT"]
web.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2)' 2>/dev/null; then break; fi
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log"; exit 1; }
  sleep 0.2
done

step "a round"
printf '50\ns\nn\n' | inside --env "BJ_SERVER=127.0.0.1:$port" \
  --env XDG_STATE_HOME=/keys "$guest" -- bj-client --plain --handle ned21

step "the bank"
inside "$house" -- bj-bank balances
inside "$house" -- bj-bank audit

step "a start that no new start can help ends as 0 outside"
inside --env BJ_PORT=nowhere "$guest" -- tini -s -e 2 -e 3 -e 4 -- bj-server

step "it stops in order"
inside "$house" -- bj-host say "See you tomorrow."
kill -TERM "$(first_named tini "$server")"
wait "$server" && code=0 || code=$?
server=
tail -n 3 "$work/server.log"
[ "$code" = 0 ] || { echo "the server ended with $code"; exit 1; }
echo "The image was built and played."
