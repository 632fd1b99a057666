import type { Pipe, PipeHost } from '../registry.ts';

/** A pipe at work. */
export interface PipeWork {
  readonly state: PipeHost;
  readonly pipe: Pipe;
}
