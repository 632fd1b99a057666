import type { DeepReadonly } from '@emu/core/service';
import type { Consumers } from './consumers/consumers.ts';
import type { StreamRecord } from './records.ts';

type Stream = DeepReadonly<StreamRecord>;

/** The streams and consumers of one account and region, as what works on them sees them. */
export interface StreamRegistry {
  readonly consumers: Consumers;
  stream(name: string): Stream | undefined;
  /** Every stream, in order of the names. */
  listStreams(): Stream[];
  updateStream(name: string, change: (draft: StreamRecord) => void): Stream;
  /** Deletes a stream with its records and consumers. */
  deleteStream(name: string): void;
}
