#!/bin/sh
exec node /opt/emu/entrypoint.mjs "$@"
