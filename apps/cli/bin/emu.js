#!/usr/bin/env node
import module from 'node:module';

// Keeps compiled code between runs where node can (22.8 and later).
module.enableCompileCache?.();
await import('../dist/emu.js');
