import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { invalidOpsItem, opsItemAt } from '../../ops/items.ts';
import { paging } from '../../paging.ts';

const ASSOCIATION_TYPES = ['IsParentOf', 'RelatesTo'];
const RESOURCE_TYPES = ['AWS::SSMIncidents::IncidentRecord', 'AWS::SSM::Document'];

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_AssociateOpsItemRelatedItem.html */
export function AssociateOpsItemRelatedItem(
  input: InputOf<'AssociateOpsItemRelatedItem'>,
  ctx: SsmContext,
): OutputOf<'AssociateOpsItemRelatedItem'> {
  const { state, ids, clock, principal } = ctx;
  const { OpsItemId, AssociationType, ResourceType, ResourceUri } = input;
  opsItemAt(OpsItemId, ctx);
  if (!ASSOCIATION_TYPES.includes(AssociationType))
    throw invalidOpsItem(
      `The association type ${AssociationType} is not valid. Valid types: ${ASSOCIATION_TYPES.join(', ')}.`,
      'AssociationType',
    );
  if (!RESOURCE_TYPES.includes(ResourceType))
    throw invalidOpsItem(
      `The resource type ${ResourceType} is not valid. Valid types: ${RESOURCE_TYPES.join(', ')}.`,
      'ResourceType',
    );
  if (!ResourceUri.startsWith('arn:')) throw invalidOpsItem('The resource URI is not an ARN.', 'ResourceUri');
  const known = [...state.ops.related.values()].some(
    (item) => item.opsItemId === OpsItemId && item.resourceUri === ResourceUri,
  );
  if (known)
    throw ssmError(
      'OpsItemRelatedItemAlreadyExistsException',
      `${ResourceUri} is related to OpsItem ${OpsItemId} already.`,
      {
        members: { ResourceUri, OpsItemId },
      },
    );
  const id = ids.uuid();
  state.ops.related.put(id, {
    id,
    opsItemId: OpsItemId,
    associationType: AssociationType,
    resourceType: ResourceType,
    resourceUri: ResourceUri,
    createdAt: clock.now(),
    createdBy: principal.arn,
  });
  return { AssociationId: id };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DisassociateOpsItemRelatedItem.html */
export function DisassociateOpsItemRelatedItem(
  { OpsItemId, AssociationId }: InputOf<'DisassociateOpsItemRelatedItem'>,
  ctx: SsmContext,
): OutputOf<'DisassociateOpsItemRelatedItem'> {
  opsItemAt(OpsItemId, ctx);
  const { related } = ctx.state.ops;
  if (related.get(AssociationId)?.opsItemId !== OpsItemId)
    throw ssmError(
      'OpsItemRelatedItemAssociationNotFoundException',
      `OpsItem ${OpsItemId} has no related item with the association ID ${AssociationId}.`,
    );
  related.delete(AssociationId);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListOpsItemRelatedItems.html */
export function ListOpsItemRelatedItems(
  input: InputOf<'ListOpsItemRelatedItems'>,
  { state }: SsmContext,
): OutputOf<'ListOpsItemRelatedItems'> {
  const listed = [...state.ops.related.values()]
    .filter(({ opsItemId }) => input.OpsItemId === undefined || opsItemId === input.OpsItemId)
    .filter((item) =>
      (input.Filters ?? []).every(({ Key, Values }) =>
        Values.includes(
          { ResourceType: item.resourceType, AssociationId: item.id, ResourceUri: item.resourceUri }[Key],
        ),
      ),
    );
  return paging
    .page('ListOpsItemRelatedItems', input, listed, ({ id }) => id)
    .list((item) => ({
      OpsItemId: item.opsItemId,
      AssociationId: item.id,
      ResourceType: item.resourceType,
      AssociationType: item.associationType,
      ResourceUri: item.resourceUri,
      CreatedBy: { Arn: item.createdBy },
      CreatedTime: new Date(item.createdAt),
      LastModifiedBy: { Arn: item.createdBy },
      LastModifiedTime: new Date(item.createdAt),
    }));
}
