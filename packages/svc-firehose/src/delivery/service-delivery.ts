import type { DeepReadonly } from '@emu/core/service';
import { SERVICE_FAMILIES } from '../destinations/families.ts';
import type { DestinationRecord } from '../records.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { backoff } from './backoff.ts';
import { failedPiece } from './failures.ts';
import { reportFailure } from './logging.ts';
import { indexDocuments } from './opensearch.ts';
import type { Batch, NewPiece, Outcome, Piece } from './pieces.ts';
import type { RecordResults, ServiceDelivery, ServiceDestination } from './service.ts';
import { sendEvents } from './splunk.ts';

/** Returns a destination known to be a service's. */
export const asService = (destination: DeepReadonly<DestinationRecord>): ServiceDestination =>
  destination as ServiceDestination;

/** Sends records. Throws only for defects. */
function send(delivery: ServiceDelivery): Promise<RecordResults> {
  const { family } = delivery.destination;
  if (family === 'Splunk') return sendEvents(delivery);
  if (family === 'Iceberg' || family === 'Redshift' || family === 'Snowflake') return undeliverable(delivery);
  return indexDocuments(delivery);
}

/** Sends records of tables to the bucket. emu has no tables: all records go to the bucket. */
async function undeliverable({ destination: { family }, pieces }: ServiceDelivery): Promise<RecordResults> {
  const message = `emu does not deliver to ${family}; the records are in the bucket of the delivery stream.`;
  return pieces.map(() => ({ code: `${family}.DestinationUnreachable`, message, final: true }));
}

/** Sends a batch to a service; records not accepted within the retry duration go to the bucket. */
export async function deliverToService(
  state: DeliveryScope,
  stream: DeliveryStream,
  destination: ServiceDestination,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  const { family, settings, own } = destination;
  const verdicts = await send({ state, stream, destination, batch, pieces });
  const refused = verdicts.filter((verdict) => verdict !== undefined);
  for (const [code, message] of new Map(refused.map((verdict) => [verdict.code, verdict.message])))
    await reportFailure(state, stream, settings, { code, message, destination: placeOf(own, family) });
  const now = state.clock.now();
  const end = batch.startedAt + settings.RetryOptions.DurationInSeconds! * 1000;
  const indexes = new Set<number>();
  const next: NewPiece[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    if (!verdict) continue;
    if (!verdict.final && now < end) indexes.add(index);
    else {
      const { code, message, more } = verdict;
      const failure = { attempts: batch.attempts, code, message, endedAt: now, ...(more && { more }) };
      next.push(failedPiece(pieces[index]!, SERVICE_FAMILIES[family].failed, failure));
    }
  }
  const after = Math.min(backoff(batch.attempts), end - now);
  return { next, ...(indexes.size > 0 && { again: { indexes, after } }) };
}

/** Returns the name of a destination in logs. */
function placeOf(own: Readonly<Record<string, unknown>>, family: string): string {
  const names = ['DomainARN', 'ClusterEndpoint', 'CollectionEndpoint', 'HECEndpoint', 'ClusterJDBCURL', 'AccountUrl'];
  const name = names.find((member) => own[member] !== undefined);
  return name === undefined ? family : String(own[name]);
}
