import type { Bucket } from '../buckets/bucket.ts';
import type { Actor } from '../events/actor.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { replicate } from './replication.ts';

/**
 * What follows a write: notifications and replication.
 * @param name e.g. `ObjectCreated:Put`
 * @param reason the operation, as EventBridge tells it
 */
export function afterWrite(actor: Actor, bucket: Bucket, version: ObjectVersion, name: string, reason: string): void {
  const { configurations } = bucket.record;
  if (configurations.notification) emit(actor, bucket, { ...eventOf(bucket, version), name, reason });
  if (configurations.replication) replicate(actor, bucket, version);
}
