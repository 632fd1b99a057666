#!/bin/sh
exec node /opt/emu/bin/emu.js "$@"
