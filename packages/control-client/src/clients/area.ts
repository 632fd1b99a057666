import type { Transport } from '../transport.ts';

/** Control routes of one area. Methods reject as described at `ControlClient`. */
export abstract class AreaControl {
  /** @param transport sends the requests; created by the client */
  constructor(protected readonly transport: Transport) {}
}
