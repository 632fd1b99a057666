import type { AdoptedData } from '@emu/core';
import { positionCollection } from '../records.ts';

/** Events of another emulator that are ready beside those there are. */
export class AdoptedEvents implements AdoptedData {
  constructor(
    /** How much higher the ids of their segments are here. */
    private readonly shift: number,
    readonly show: () => void,
    readonly release: () => void,
  ) {}

  /** Positions of deliveries name segments. */
  translated(collection: string, value: unknown): unknown {
    if (!this.shift || collection !== positionCollection.name) return value;
    const position = value as { segment: number };
    return { ...position, segment: position.segment + this.shift };
  }
}
