#!/usr/bin/env bash
# Implementation of action.yml: starts emu, saves its state or stops it. Inputs are EMU_ACTION_* variables.
set -euo pipefail

address=127.0.0.1:$EMU_ACTION_PORT
log=$RUNNER_TEMP/emu-$EMU_ACTION_PORT.log
pid=$RUNNER_TEMP/emu-$EMU_ACTION_PORT.pid
container=emu-$EMU_ACTION_PORT

emu() { npx --yes "@emu/cli@$EMU_ACTION_VERSION" "$@"; }

start() {
  # Flags from the workflow, possibly several.
  # shellcheck disable=SC2206
  local flags=($EMU_ACTION_FLAGS)
  if [ "$EMU_ACTION_IMAGE" ]; then
    docker run --detach --name "$container" --publish "$address:4566" "$EMU_ACTION_IMAGE" start "${flags[@]+"${flags[@]}"}"
  else
    nohup npx --yes "@emu/cli@$EMU_ACTION_VERSION" start --addr "$address" "${flags[@]+"${flags[@]}"}" >"$log" 2>&1 </dev/null &
    echo $! >"$pid"
  fi
  if ! emu wait --addr "$address" --timeout "$EMU_ACTION_TIMEOUT"; then
    if [ "$EMU_ACTION_IMAGE" ]; then docker logs "$container"; else cat "$log"; fi
    exit 1
  fi
  if [ "$EMU_ACTION_STATE" ] && [ -e "$EMU_ACTION_STATE" ]; then emu state load "$EMU_ACTION_STATE" --addr "$address"; fi
  {
    echo "AWS_ENDPOINT_URL=http://$address"
    echo "AWS_ENDPOINT_URL_S3_CONTROL=http://localhost:$EMU_ACTION_PORT"
    echo "AWS_ACCESS_KEY_ID=test"
    echo "AWS_SECRET_ACCESS_KEY=test"
    echo "AWS_REGION=$EMU_ACTION_REGION"
    echo "AWS_DEFAULT_REGION=$EMU_ACTION_REGION"
  } >>"$GITHUB_ENV"
  echo "endpoint=http://$address" >>"$GITHUB_OUTPUT"
}

save() {
  if [ -z "$EMU_ACTION_STATE" ]; then
    echo '::error::Name the file in the input state.'
    exit 1
  fi
  emu state save "$EMU_ACTION_STATE" --addr "$address"
}

stop() {
  if [ -e "$pid" ]; then
    kill "$(cat "$pid")"
    rm "$pid"
  else
    docker rm --force "$container"
  fi
}

case $EMU_ACTION_COMMAND in
  start | save | stop) "$EMU_ACTION_COMMAND" ;;
  *)
    echo "::error::command is start, save or stop, not $EMU_ACTION_COMMAND."
    exit 1
    ;;
esac
