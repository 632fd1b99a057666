import { numericKey } from '@emu/core/service';
import type { InputOf, KeyMaterialState, OutputOf, RotationsListEntry } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalidState, kmsError, unsupportedOperation, wrongOrigin } from '../errors.ts';
import { currentMaterial } from '../keys/material.ts';
import { type KeyTarget, ownKey, refusePendingDeletion, requireEnabled } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Material } from '../records.ts';
import { DAY } from '../state.ts';

const DEFAULT_PERIOD_DAYS = 365;
/** @see https://docs.aws.amazon.com/kms/latest/developerguide/rotating-keys-on-demand.html */
const MAX_ON_DEMAND_ROTATIONS = 25;

/** Rejects keys without rotation, and replicas, which rotate with their primary key. */
function requireRotatable({ key, state, arn }: KeyTarget): void {
  if (key.spec !== 'SYMMETRIC_DEFAULT') throw unsupportedOperation();
  if (key.customKeyStoreId !== undefined) throw wrongOrigin(arn, key.origin);
  if (key.multiRegion && key.multiRegion.primary !== state.region)
    throw unsupportedOperation(`${arn} is a multi-region replica key, which is rotated with its primary key.`);
}

/** Enables the automatic rotation of a symmetric key, every 90 to 2560 days. */
export async function EnableKeyRotation(input: InputOf<'EnableKeyRotation'>, ctx: KmsContext) {
  const target = await ownKey(input.KeyId, ctx);
  const { key, state, arn } = target;
  requireRotatable(target);
  if (key.origin !== 'AWS_KMS') throw wrongOrigin(arn, key.origin);
  requireEnabled(target);
  const periodDays = input.RotationPeriodInDays ?? key.rotation?.periodDays ?? DEFAULT_PERIOD_DAYS;
  if (key.rotation?.periodDays !== periodDays)
    state.update(key.id, (draft) => {
      draft.rotation = { periodDays, nextAt: state.clock.now() + periodDays * DAY };
    });
  return {};
}

/** Disables the automatic rotation of a key. */
export async function DisableKeyRotation(input: InputOf<'DisableKeyRotation'>, ctx: KmsContext) {
  const target = await ownKey(input.KeyId, ctx);
  const { key, state, arn } = target;
  requireRotatable(target);
  if (key.origin !== 'AWS_KMS') throw wrongOrigin(arn, key.origin);
  requireEnabled(target);
  state.update(key.id, (draft) => {
    delete draft.rotation;
  });
  return {};
}

/**
 * Returns the rotation status of a key. A replica returns that of its primary key; keys without rotation return false.
 */
export async function GetKeyRotationStatus(
  input: InputOf<'GetKeyRotationStatus'>,
  ctx: KmsContext,
): Promise<OutputOf<'GetKeyRotationStatus'>> {
  const { key, state, arn } = await ownKey(input.KeyId, ctx, false);
  const primary = state.regionsOf(key)[0]!;
  const rotation = key.deletion ? undefined : primary.find(key.id)?.rotation;
  return {
    KeyId: arn,
    KeyRotationEnabled: rotation !== undefined,
    ...(rotation && { RotationPeriodInDays: rotation.periodDays, NextRotationDate: new Date(rotation.nextAt) }),
  };
}

/** Rotates a key immediately; an imported key to its pending material. */
export async function RotateKeyOnDemand(
  input: InputOf<'RotateKeyOnDemand'>,
  ctx: KmsContext,
): Promise<OutputOf<'RotateKeyOnDemand'>> {
  const target = await ownKey(input.KeyId, ctx);
  const { key, state, arn } = target;
  requireRotatable(target);
  requireEnabled(target);
  const pending = key.materials.find(({ imported }) => imported?.pending);
  if (key.origin === 'EXTERNAL' && !(pending && isEverywhere(pending.id, target)))
    throw invalidState(`No available key material pending rotation for the key: ${arn}.`);
  if (key.onDemandRotations >= MAX_ON_DEMAND_ROTATIONS)
    throw kmsError(
      'LimitExceededException',
      `The on-demand rotations limit has been reached for the given keyId. No more on-demand rotations can be performed for this key: ${arn}`,
    );
  state.rotate(key, 'ON_DEMAND', state.clock.now());
  state.update(key.id, (draft) => {
    draft.onDemandRotations++;
  });
  return { KeyId: arn };
}

/** Whether all regions of a key have the secret of a material. */
function isEverywhere(materialId: string, { key, state }: KeyTarget): boolean {
  return state
    .regionsOf(key)
    .every((region) =>
      region.find(key.id)?.materials.some(({ id, secret }) => id === materialId && secret !== undefined),
    );
}

function materialStateOf(material: Material, target: KeyTarget): KeyMaterialState {
  if (!material.imported?.pending) return material === currentMaterial(target.key) ? 'CURRENT' : 'NON_CURRENT';
  if (!target.key.multiRegion || isEverywhere(material.id, target)) return 'PENDING_ROTATION';
  return 'PENDING_MULTI_REGION_IMPORT_AND_ROTATION';
}

function describeMaterial(material: Material, target: KeyTarget): RotationsListEntry {
  const { id, rotation, imported } = material;
  return {
    KeyId: target.key.id,
    KeyMaterialId: id,
    KeyMaterialState: materialStateOf(material, target),
    ...(imported && {
      KeyMaterialDescription: imported.description,
      ImportState: material.secret === undefined ? 'PENDING_IMPORT' : 'IMPORTED',
      ...(material.secret !== undefined && { ExpirationModel: imported.expirationModel }),
      ...(imported.validTo !== undefined && { ValidTo: new Date(imported.validTo) }),
    }),
    ...(rotation && { RotationDate: new Date(rotation.at), RotationType: rotation.type }),
  };
}

/** Lists the materials of a key, oldest first: those of rotations, or all. */
export async function ListKeyRotations(
  input: InputOf<'ListKeyRotations'>,
  ctx: KmsContext,
): Promise<OutputOf<'ListKeyRotations'>> {
  const target = await ownKey(input.KeyId, ctx, false);
  const { key } = target;
  if (key.spec !== 'SYMMETRIC_DEFAULT') throw unsupportedOperation();
  refusePendingDeletion(target);
  const numbered = key.materials.map((material, place) => ({ material, place: numericKey(place) }));
  const listed =
    input.IncludeKeyMaterial === 'ALL_KEY_MATERIAL' ? numbered : numbered.filter(({ material }) => material.rotation);
  return paging
    .page('ListKeyRotations', input, listed, ({ place }) => place)
    .list(({ material }) => describeMaterial(material, target));
}
