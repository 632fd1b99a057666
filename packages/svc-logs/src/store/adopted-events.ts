import type { AdoptedData } from '@emu/core/service';
import { positionCollection } from '../records.ts';

/** Events of another emulator, prepared for adoption in addition to the existing ones. */
export class AdoptedEvents implements AdoptedData {
  constructor(
    /** Offset added to the ids of their segments. */
    private readonly shift: number,
    readonly show: () => void,
    readonly release: () => void,
  ) {}

  /** Adjusts segment ids in a record: delivery positions refer to segments. */
  translated(collection: string, value: unknown): unknown {
    if (!this.shift || collection !== positionCollection.name) return value;
    const position = value as { segment: number };
    return { ...position, segment: position.segment + this.shift };
  }
}
