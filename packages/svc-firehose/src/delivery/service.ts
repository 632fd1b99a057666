import type { DeepReadonly } from '@emu/core/service';
import type { ServiceRecord } from '../records.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import type { Batch, Piece } from './pieces.ts';

/** A stored service destination. */
export type ServiceDestination = DeepReadonly<ServiceRecord>;

/** Reason why a record was rejected. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  /** Whether a retry is pointless. */
  readonly final: boolean;
  /** Additional members of the failure line. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Result of each record in a batch, in order: undefined for accepted ones. */
export type RecordResults = readonly (Refused | undefined)[];

/** A delivery to a service. */
export interface ServiceDelivery {
  readonly state: DeliveryScope;
  readonly stream: DeliveryStream;
  readonly destination: ServiceDestination;
  readonly batch: Batch;
  readonly pieces: readonly Piece[];
}
