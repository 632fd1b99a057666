import type { DeepReadonly } from '@emu/core/service';
import type { Batch, Piece } from '../delivery/pieces.ts';
import type { ServiceRecord } from '../records.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';

/** A destination of a service, as it is read. */
export type ServiceDestination = DeepReadonly<ServiceRecord>;

/** Why a record was not taken. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  /** Whether another attempt would go no better. */
  readonly final: boolean;
  /** What the line of the failure says besides. */
  readonly more?: Readonly<Record<string, string>>;
}

/** What became of each record of a batch, in their order: undefined where it was taken. */
export type Verdicts = readonly (Refused | undefined)[];

/** A delivery to a service. */
export interface ServiceDelivery {
  readonly state: DeliveryScope;
  readonly stream: DeliveryStream;
  readonly destination: ServiceDestination;
  readonly batch: Batch;
  readonly pieces: readonly Piece[];
}
