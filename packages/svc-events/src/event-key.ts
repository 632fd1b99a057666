import {
  asService,
  type CallOptions,
  CustomerKey,
  type KeyCaller,
  parseArn,
  sealText,
  unsealText,
} from '@emu/core/service';
import { invalidParameter } from './errors.ts';
import type { ArchivedEventRecord } from './records.ts';

const KEY = 'KmsKeyIdentifier';

/** Returns EventBridge as the caller of KMS for a bus. */
function callerFor(busArn: string): CallOptions {
  const { accountId, region } = parseArn(busArn)!;
  return { accountId, region, ...asService('events', accountId, busArn) };
}

/**
 * Customer keys of buses and archives, both identified by the ARN of the bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-event-bus-cmkey.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/encryption-archives.html
 */
const eventKey = new CustomerKey({
  service: 'events',
  context: (busArn: string) => ({ 'aws:events:event-bus:arn': busArn }),
  callOptions: callerFor,
  refuse: ({ message }, { purpose }) => (purpose === 'describe' ? invalidParameter(KEY, message) : undefined),
});

/**
 * Checks that a key can encrypt events.
 * @throws AwsError `ValidationException`
 */
export async function checkKey(keyId: string, busArn: string, caller: KeyCaller): Promise<void> {
  const {
    Arn: arn,
    Enabled: enabled,
    KeySpec: spec,
  } = await eventKey.describe(keyId, busArn, caller, callerFor(busArn));
  if (!enabled) throw invalidParameter(KEY, `The key ${arn} is not enabled.`);
  if (spec !== 'SYMMETRIC_DEFAULT') throw invalidParameter(KEY, `The key ${arn} is no symmetric encryption key.`);
}

/**
 * Creates the data key of an event on a bus.
 * @returns the key encrypted by KMS, in base64
 * @throws AwsError of KMS
 */
export async function newEventKey(keyId: string, busArn: string, caller: KeyCaller): Promise<string> {
  return (await eventKey.newDataKey(keyId, busArn, caller)).dataKey;
}

/**
 * Decrypts the data key of an event, as before its delivery to a target.
 * @throws AwsError of KMS
 */
export async function useEventKey(dataKey: string, busArn: string, caller: KeyCaller): Promise<void> {
  await eventKey.decrypt({ dataKey }, busArn, caller);
}

/** An event encrypted for an archive. */
export type SealedEvent = Required<Pick<ArchivedEventRecord, 'event' | 'dataKey' | 'bytes'>>;

/**
 * Encrypts an event for an archive.
 * @throws AwsError of KMS
 */
export async function sealEvent(keyId: string, busArn: string, json: string, caller: KeyCaller): Promise<SealedEvent> {
  const { dataKey, plaintext } = await eventKey.newDataKey(keyId, busArn, caller);
  return { event: sealText(plaintext, json).toString('base64'), dataKey, bytes: Buffer.byteLength(json) };
}

/**
 * Returns an archived event as JSON text.
 * @throws AwsError of KMS
 */
export async function openEvent(
  { event, dataKey }: Pick<ArchivedEventRecord, 'event' | 'dataKey'>,
  busArn: string,
  caller: KeyCaller,
): Promise<string> {
  if (dataKey === undefined) return event;
  return unsealText(await eventKey.decrypt({ dataKey }, busArn, caller), Buffer.from(event, 'base64'));
}
