import type { DeepReadonly } from '@emu/core/service';
import type { Consumers } from './consumers/consumers.ts';
import type { StreamRecord } from './records.ts';

type Stream = DeepReadonly<StreamRecord>;

/** Access to the streams and consumers of one account and region. */
export interface StreamRegistry {
  readonly consumers: Consumers;
  stream(name: string): Stream | undefined;
  /** Returns all streams in order of name. */
  listStreams(): Stream[];
  updateStream(name: string, change: (draft: StreamRecord) => void): Stream;
  /** Deletes a stream with its records and consumers. */
  deleteStream(name: string): void;
}
