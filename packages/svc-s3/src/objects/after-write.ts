import type { Bucket } from '../buckets/bucket.ts';
import type { Actor } from '../events/actor.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { replicate } from './replication.ts';

/**
 * Starts notifications and replication after a write.
 * @param name e.g. `ObjectCreated:Put`
 * @param reason operation for EventBridge
 */
export function afterWrite(actor: Actor, bucket: Bucket, version: ObjectVersion, name: string, reason: string): void {
  const { configurations } = bucket.record;
  if (configurations.notification) emit(actor, bucket, { ...eventOf(bucket, version), name, reason });
  if (configurations.replication) replicate(actor, bucket, version);
}
