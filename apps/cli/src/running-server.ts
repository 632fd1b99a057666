import type { Config } from '@emu/core';
import type { Logger } from '@emu/core/service';
import type { Emulator } from '@emu/emulator';
import type { HookRunner } from './hooks.ts';

/** A listening emulator. */
export interface RunningServer {
  emulator: Emulator;
  config: Config;
  log: Logger;
  /** Base URL for clients on this machine. */
  url: string;
  /** Scripts of `--init`, if any. */
  hooks: HookRunner | undefined;
}
