import type { Pipe, PipeHost } from '../registry.ts';

/** A running pipe. */
export interface PipeWork {
  readonly state: PipeHost;
  readonly pipe: Pipe;
}
