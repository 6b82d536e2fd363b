#!/bin/sh
# Replaces systemctl on the test machine, where systemd does not run: starts each unit's ExecStart, without hardening.
set -eu
action=$1
shift
running=/run/units
mkdir -p "$running"

setting() { sed -n "s/^$1=//p" "$file" | sed "s/%i/$instance/g"; }

read_unit() {
  unit=${1%.service}
  instance=${unit#*@}
  [ "$instance" != "$unit" ] && template="${unit%%@*}@" || template=$unit
  file=/etc/systemd/system/$template.service
  [ -e "$file" ] || file=/lib/systemd/system/$template.service
}

start() {
  read_unit "$1"
  user=$(setting User)
  folder=$(setting WorkingDirectory)
  line=$(setting ExecStart)
  as="setpriv --reuid $user --regid $user --init-groups"
  case $(setting AmbientCapabilities) in
    *CAP_NET_BIND_SERVICE*) as="$as --inh-caps +net_bind_service --ambient-caps +net_bind_service" ;;
  esac
  mkdir -p "/var/cache/$user" && chown "$user" "/var/cache/$user"
  environment="HOME=$(getent passwd "$user" | cut -d: -f6) PATH=/usr/local/bin:/usr/bin:/bin $(setting Environment | tr '\n' ' ')"
  cd "${folder:-/}"
  setsid sh -c "echo \$\$ >$running/$unit; exec $as env -i $environment $line" \
    >>"/var/log/$unit.log" 2>&1 </dev/null &
  after=$(setting ExecStartPost)
  until [ -s "$running/$unit" ]; do sleep 0.1; done
  if [ -n "$after" ]; then $as env -i $environment MAINPID="$(cat "$running/$unit")" $after || {
    cat "/var/log/$unit.log"
    exit 1
  }; fi
}

stop() {
  read_unit "$1"
  [ -s "$running/$unit" ] || return 0
  pid=$(cat "$running/$unit")
  # Signals only the main process, like KillMode=mixed.
  kill -TERM "$pid" 2>/dev/null || true
  # No parent reaps the process here, so a zombie counts as ended.
  while grep -q '^State:[[:space:]]*[RSDTtI]' "/proc/$pid/status" 2>/dev/null; do sleep 0.1; done
  rm -f "$running/$unit"
}

case $action in
  daemon-reload) ;;
  list-units) for unit in "$running"/site@*; do [ -e "$unit" ] && echo "$(basename "$unit").service loaded active"; done || true ;;
  enable | start) for unit in "$@"; do [ "$unit" = --now ] || start "$unit"; done ;;
  stop) for unit in "$@"; do stop "$unit"; done ;;
  restart | reload) for unit in "$@"; do stop "$unit"; start "$unit"; done ;;
esac
