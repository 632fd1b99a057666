import type { CreateKeyRequest, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError, unsupportedOperation } from '../errors.ts';
import { checkExternalKey } from '../key-stores/external.ts';
import { describeKey } from '../keys/metadata.ts';
import { newKeyRecord } from '../keys/new-key.ts';
import { offeredShape, usageFor } from '../keys/specs.ts';
import { stateError } from '../keys/states.ts';
import { findKey, ownKey, refusePendingDeletion } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkPolicy, defaultPolicy } from '../policy.ts';
import { DAY } from '../state.ts';
import { tagging } from '../tags.ts';

/** Returns the origin of a key's material, which must match the key store. */
async function originOf(input: CreateKeyRequest, ctx: KmsContext) {
  const { CustomKeyStoreId: id, XksKeyId, MultiRegion } = input;
  const origin = input.Origin ?? 'AWS_KMS';
  const external = origin === 'EXTERNAL_KEY_STORE';
  const stored = external || origin === 'AWS_CLOUDHSM';
  if (XksKeyId !== undefined && !external) throw invalid('XksKeyId is only valid with Origin EXTERNAL_KEY_STORE.');
  if (origin === 'EXTERNAL' && input.KeySpec?.startsWith('ML_DSA'))
    throw unsupportedOperation(`KeySpec ${input.KeySpec} is not supported for Origin EXTERNAL.`);
  if (!stored) {
    if (id !== undefined) throw invalid(`CustomKeyStoreId is not valid with Origin ${origin}.`);
    return { origin };
  }
  if (id === undefined) throw invalid(`CustomKeyStoreId is required with Origin ${origin}.`);
  if (external && XksKeyId === undefined) throw invalid('XksKeyId is required with Origin EXTERNAL_KEY_STORE.');
  const store = ctx.state.customKeyStores.get(id);
  if (!store) throw kmsError('CustomKeyStoreNotFoundException', '');
  if (MultiRegion || (input.KeySpec ?? 'SYMMETRIC_DEFAULT') !== 'SYMMETRIC_DEFAULT')
    throw unsupportedOperation('Custom key stores support only single-Region symmetric encryption keys.');
  if (store.type !== (external ? 'EXTERNAL_KEY_STORE' : 'AWS_CLOUDHSM'))
    throw unsupportedOperation(`Origin ${origin} is not valid for a key store of type ${store.type}.`);
  if (!store.connected)
    throw kmsError('CustomKeyStoreInvalidStateException', `The custom key store ${id} is not connected.`);
  for (const key of ctx.state.keys.values())
    if (XksKeyId !== undefined && key.customKeyStoreId === id && key.xksKeyId === XksKeyId)
      throw kmsError('XksKeyAlreadyInUseException', '');
  if (XksKeyId !== undefined) await checkExternalKey(store, XksKeyId, ctx);
  return { origin, customKeyStoreId: id, ...(XksKeyId !== undefined && { xksKeyId: XksKeyId }) };
}

/** Creates a key, with its material unless that is imported. */
export async function CreateKey(input: InputOf<'CreateKey'>, ctx: KmsContext): Promise<OutputOf<'CreateKey'>> {
  const { state } = ctx;
  if (input.KeySpec !== undefined && input.CustomerMasterKeySpec !== undefined)
    throw invalid(
      'You cannot specify KeySpec and CustomerMasterKeySpec in the same request. CustomerMasterKeySpec is deprecated.',
    );
  const spec = input.KeySpec ?? input.CustomerMasterKeySpec ?? 'SYMMETRIC_DEFAULT';
  offeredShape(spec, ctx.region);
  const usage = usageFor(spec, input.KeyUsage);
  const tags = tagging.merge(undefined, input.Tags);
  if (input.Policy !== undefined) await checkPolicy(input.Policy, input.BypassPolicyLockoutSafetyCheck, ctx);
  const record = await newKeyRecord(state, {
    spec,
    usage,
    tags,
    ...(await originOf(input, ctx)),
    description: input.Description ?? '',
    policy: input.Policy ?? defaultPolicy(ctx.accountId, ctx.region),
    multiRegion: input.MultiRegion,
  });
  return { KeyMetadata: describeKey(state.add(record), state) };
}

/** Returns a key with its state. For an alias of an AWS managed key, creates the key first. */
export async function DescribeKey(input: InputOf<'DescribeKey'>, ctx: KmsContext): Promise<OutputOf<'DescribeKey'>> {
  const { key, state } = await findKey(input.KeyId, ctx);
  return { KeyMetadata: describeKey(key, state) };
}

/** Lists the keys of the account and region by id. */
export function ListKeys(input: InputOf<'ListKeys'>, { state }: KmsContext): OutputOf<'ListKeys'> {
  return paging
    .page('ListKeys', input, state.keys.keys(), (id) => id)
    .list((id) => ({ KeyId: id, KeyArn: state.arnOf(id) }));
}

async function setEnabled(id: string, enabled: boolean, ctx: KmsContext): Promise<Record<string, never>> {
  const { state, key, arn } = await ownKey(id, ctx);
  const status = state.stateOf(key);
  if (status !== 'Enabled' && status !== 'Disabled') throw stateError(status, arn);
  if (key.enabled !== enabled)
    state.update(key.id, (draft) => {
      draft.enabled = enabled;
    });
  return {};
}

/** Enables a disabled key. */
export function EnableKey(input: InputOf<'EnableKey'>, ctx: KmsContext) {
  return setEnabled(input.KeyId, true, ctx);
}
/** Disables a key. */
export function DisableKey(input: InputOf<'DisableKey'>, ctx: KmsContext) {
  return setEnabled(input.KeyId, false, ctx);
}

/** Replaces a key's description. */
export async function UpdateKeyDescription(input: InputOf<'UpdateKeyDescription'>, ctx: KmsContext) {
  const target = await ownKey(input.KeyId, ctx);
  refusePendingDeletion(target);
  target.state.update(target.key.id, (draft) => {
    draft.description = input.Description;
  });
  return {};
}

/** Schedules the deletion of a key after 7 to 30 days. A primary key with replicas waits for their deletion first. */
export async function ScheduleKeyDeletion(
  input: InputOf<'ScheduleKeyDeletion'>,
  ctx: KmsContext,
): Promise<OutputOf<'ScheduleKeyDeletion'>> {
  const windowDays = input.PendingWindowInDays ?? 30;
  if (windowDays < 7 || windowDays > 30)
    throw invalid('PendingWindowInDays must be between 7 and 30 days (inclusive).');
  const target = await ownKey(input.KeyId, ctx);
  refusePendingDeletion(target);
  const { state, arn } = target;
  const waits = target.key.multiRegion?.primary === state.region && target.key.multiRegion.replicas.length > 0;
  const at = state.clock.now() + windowDays * DAY;
  const key = state.update(target.key.id, (draft) => {
    draft.deletion = { windowDays, ...(!waits && { at }) };
    draft.enabled = false;
  });
  return {
    KeyId: arn,
    ...(!waits && { DeletionDate: new Date(at) }),
    KeyState: state.stateOf(key),
    PendingWindowInDays: windowDays,
  };
}

/** Cancels a scheduled deletion. The key remains disabled. */
export async function CancelKeyDeletion(
  input: InputOf<'CancelKeyDeletion'>,
  ctx: KmsContext,
): Promise<OutputOf<'CancelKeyDeletion'>> {
  const { state, key, arn } = await ownKey(input.KeyId, ctx);
  if (!key.deletion) throw kmsError('KMSInvalidStateException', `${arn} is not pending deletion.`);
  state.update(key.id, (draft) => {
    delete draft.deletion;
  });
  return { KeyId: arn };
}

/**
 * Returns the last use of a key. Uses are recorded from its creation on.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_GetKeyLastUsage.html
 */
export async function GetKeyLastUsage(
  input: InputOf<'GetKeyLastUsage'>,
  ctx: KmsContext,
): Promise<OutputOf<'GetKeyLastUsage'>> {
  const { state, key } = await ownKey(input.KeyId, ctx, false);
  const use = state.lastUseOf(key);
  const created = new Date(key.createdAt);
  return {
    KeyId: key.id,
    KeyLastUsage: use && {
      Operation: use.operation,
      Timestamp: new Date(use.at),
      CloudTrailEventId: use.eventId,
      KmsRequestId: use.requestId,
    },
    TrackingStartDate: created,
    KeyCreationDate: created,
  };
}
