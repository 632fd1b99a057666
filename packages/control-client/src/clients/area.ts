import type { Transport } from '../transport.ts';

/** The control routes of one area. Its methods reject as `ControlClient` describes. */
export abstract class AreaControl {
  /** @param transport sends the requests; the client makes it */
  constructor(protected readonly transport: Transport) {}
}
