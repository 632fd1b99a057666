import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { opsMetadataType } from '../../ops/resources.ts';
import type { OpsMetadata } from '../../ops/store.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

/** Maximum number of metadata keys. */
const MAX_KEYS = 50;

/**
 * Returns metadata by ARN.
 * @throws AwsError `OpsMetadataInvalidArgumentException`, `OpsMetadataNotFoundException`
 */
function metadataAt(arn: string, { state, accountId, region }: SsmContext): OpsMetadata {
  const address = opsMetadataType.parse(arn);
  if (!address) throw ssmError('OpsMetadataInvalidArgumentException', `${arn} is not an ARN of OpsMetadata.`);
  const here = address.place.accountId === accountId && address.place.region === region;
  const found = here ? state.ops.metadata.get(address.key.id) : undefined;
  if (!found) throw ssmError('OpsMetadataNotFoundException', `The OpsMetadata object ${arn} doesn't exist.`);
  return found;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateOpsMetadata.html */
export function CreateOpsMetadata(input: InputOf<'CreateOpsMetadata'>, ctx: SsmContext): OutputOf<'CreateOpsMetadata'> {
  const { state, clock, principal } = ctx;
  const resourceId = input.ResourceId;
  if (!/^[a-zA-Z0-9-_./]+$/.test(resourceId))
    throw ssmError('OpsMetadataInvalidArgumentException', `The resource ID ${resourceId} is not valid.`);
  const id = `${resourceId.replace(/^\//, '')}/appmanager`;
  if (state.ops.metadata.has(id))
    throw ssmError('OpsMetadataAlreadyExistsException', `There is an OpsMetadata object for ${resourceId} already.`);
  const tags = tagging.merge(undefined, input.Tags);
  const now = clock.now();
  const metadata = Object.fromEntries(
    Object.entries(input.Metadata ?? {}).map(([key, { Value = '' }]) => [key, Value]),
  );
  state.ops.metadata.put(id, {
    id,
    resourceId,
    metadata,
    tags,
    createdAt: now,
    modifiedAt: now,
    modifiedBy: principal.arn,
  });
  return { OpsMetadataArn: opsMetadataType.arn({ id }, ctx) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateOpsMetadata.html */
export function UpdateOpsMetadata(input: InputOf<'UpdateOpsMetadata'>, ctx: SsmContext): OutputOf<'UpdateOpsMetadata'> {
  const { state, clock, principal } = ctx;
  const { id, metadata } = metadataAt(input.OpsMetadataArn, ctx);
  const changed: Record<string, string> = { ...metadata };
  for (const [key, { Value = '' }] of Object.entries(input.MetadataToUpdate ?? {})) changed[key] = Value;
  for (const key of input.KeysToDelete ?? []) delete changed[key];
  if (Object.keys(changed).length > MAX_KEYS)
    throw ssmError('OpsMetadataKeyLimitExceededException', `An OpsMetadata object can have at most ${MAX_KEYS} keys.`);
  state.ops.metadata.update(id, (draft) => {
    draft.metadata = changed;
    draft.modifiedAt = clock.now();
    draft.modifiedBy = principal.arn;
  });
  return { OpsMetadataArn: input.OpsMetadataArn };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetOpsMetadata.html */
export function GetOpsMetadata(input: InputOf<'GetOpsMetadata'>, ctx: SsmContext): OutputOf<'GetOpsMetadata'> {
  const { resourceId, metadata } = metadataAt(input.OpsMetadataArn, ctx);
  const page = paging.page('GetOpsMetadata', input, Object.entries(metadata), ([key]) => key, { defaultLimit: 10 });
  return {
    ResourceId: resourceId,
    Metadata: Object.fromEntries(page.items.map(([key, Value]) => [key, { Value }])),
    ...page.next,
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteOpsMetadata.html */
export function DeleteOpsMetadata(input: InputOf<'DeleteOpsMetadata'>, ctx: SsmContext): OutputOf<'DeleteOpsMetadata'> {
  ctx.state.ops.metadata.delete(metadataAt(input.OpsMetadataArn, ctx).id);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListOpsMetadata.html */
export function ListOpsMetadata(input: InputOf<'ListOpsMetadata'>, ctx: SsmContext): OutputOf<'ListOpsMetadata'> {
  const tests = (input.Filters ?? []).map(({ Key, Values }) => {
    if (Key !== 'ResourceId')
      throw ssmError(
        'OpsMetadataInvalidArgumentException',
        `The filter key ${Key} is not valid. Valid keys: ResourceId.`,
      );
    return ({ resourceId }: OpsMetadata) => Values.includes(resourceId);
  });
  const listed = [...ctx.state.ops.metadata.values()].filter((one) => tests.every((test) => test(one)));
  return paging
    .page('ListOpsMetadata', input, listed, ({ id }) => id)
    .list((one) => ({
      ResourceId: one.resourceId,
      OpsMetadataArn: opsMetadataType.arn({ id: one.id }, ctx),
      LastModifiedDate: new Date(one.modifiedAt),
      LastModifiedUser: one.modifiedBy,
      CreationDate: new Date(one.createdAt),
    }));
}
