import type { EventSourceMapping } from '../records.ts';

/** What brings the events of a source to the function of a mapping. */
export interface Poller {
  readonly mapping: EventSourceMapping;
  /** Resolves when it is known where reading begins: what comes into the source from then on is read. */
  readonly started: Promise<void>;
  /** Reads nothing any more; what was read runs to its end. */
  close(): void;
}
