import { type DeepMutable, isRegionName, partitionOf } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError, notFound, unsupportedOperation } from '../errors.ts';
import { describeKey } from '../keys/metadata.ts';
import { stateError } from '../keys/states.ts';
import { type KeyTarget, ownKey, requireEnabled } from '../lookup.ts';
import { checkPolicy, defaultPolicy } from '../policy.ts';
import type { KeyRecord, Material, MaterialRecord } from '../records.ts';
import { keyType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Returns a primary key in the request's region. @throws AwsError `UnsupportedOperationException` */
async function primaryKey(id: string, ctx: KmsContext) {
  const target = await ownKey(id, ctx);
  const { multiRegion } = target.key;
  if (multiRegion?.primary !== ctx.region)
    throw unsupportedOperation(`${target.arn} is not a multi-region primary key.`);
  return { target, multiRegion };
}

/** Updates the list of regions in every region of a key. */
function setRegions({ state, key }: KeyTarget, primary: string, replicas: string[]): void {
  for (const region of state.regionsOf(key))
    if (region.keys.has(key.id))
      region.update(key.id, (draft) => {
        draft.multiRegion = { primary, replicas: [...replicas] };
      });
}

/** Returns imported material for other regions, which lack the secret until the same material is imported there. */
export function withoutSecret({ id, rotation, imported }: Material): MaterialRecord {
  return {
    id,
    ...(rotation && { rotation: { ...rotation } }),
    imported: { expirationModel: 'KEY_MATERIAL_EXPIRES', ...(imported?.pending && { pending: true }) },
  };
}

/** Creates a replica of a primary key in another region, with the same id and material. */
export async function ReplicateKey(input: InputOf<'ReplicateKey'>, ctx: KmsContext): Promise<OutputOf<'ReplicateKey'>> {
  const { ReplicaRegion: region } = input;
  if (input.Policy !== undefined) {
    // Slow steps precede the check of the key.
    await primaryKey(input.KeyId, ctx);
    await checkPolicy(input.Policy, input.BypassPolicyLockoutSafetyCheck, ctx);
  }
  const { target, multiRegion } = await primaryKey(input.KeyId, ctx);
  requireEnabled(target);
  if (!isRegionName(region) || partitionOf(region) !== ctx.partition)
    throw invalid(`${region} is not a region that a key of region ${ctx.region} can be replicated to.`);
  const { key } = target;
  if (region === ctx.region || multiRegion.replicas.includes(region))
    throw kmsError('AlreadyExistsException', `Key ${key.id} already exists in region ${region}.`);
  const tags = tagging.merge(undefined, input.Tags);
  const replicas = [...multiRegion.replicas, region];
  const { rotation: _rotation, ...shared } = structuredClone(key) as DeepMutable<KeyRecord>;
  const replica: KeyRecord = {
    ...shared,
    description: input.Description ?? '',
    policy: input.Policy ?? defaultPolicy(ctx.accountId, ctx.region),
    tags,
    createdAt: ctx.clock.now(),
    onDemandRotations: 0,
    multiRegion: { primary: ctx.region, replicas },
    materials: key.origin === 'EXTERNAL' ? shared.materials.map(withoutSecret) : shared.materials,
  };
  const there = ctx.handle.state(ctx.accountId, region);
  const added = there.add(replica);
  setRegions(target, ctx.region, replicas);
  return {
    // AWS responds before the replica is enabled.
    ReplicaKeyMetadata: describeKey(added, there, 'Creating'),
    ReplicaPolicy: added.policy,
    ...(added.tags.length && { ReplicaTags: added.tags.map((tag) => ({ ...tag })) }),
  };
}

/** Makes a replica the primary key, and the primary key a replica. */
export async function UpdatePrimaryRegion(input: InputOf<'UpdatePrimaryRegion'>, ctx: KmsContext) {
  const { PrimaryRegion: region } = input;
  const { target, multiRegion } = await primaryKey(input.KeyId, ctx);
  requireEnabled(target);
  if (region === ctx.region) return {};
  const { key, state } = target;
  const there = multiRegion.replicas.includes(region) ? ctx.handle.state(ctx.accountId, region) : undefined;
  const replica = there?.find(key.id);
  if (!there || !replica)
    throw notFound(`Key '${keyType.arn(key, { accountId: ctx.accountId, region })}' does not exist`);
  const status = there.stateOf(replica);
  if (status !== 'Enabled') throw stateError(status, there.arnOf(key.id));
  const { rotation, onDemandRotations } = key;
  setRegions(
    target,
    region,
    multiRegion.replicas.map((name) => (name === region ? ctx.region : name)),
  );
  // Rotation belongs to the primary key.
  there.update(key.id, (draft) => {
    draft.onDemandRotations = onDemandRotations;
    if (rotation) draft.rotation = { ...rotation };
  });
  state.update(key.id, (draft) => {
    delete draft.rotation;
  });
  return {};
}
