import type { DeepReadonly } from '@emu/core/service';
import type { DomainNameAccessAssociation, InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { AccessAssociationRecord } from '../records.ts';
import { associationArn, domainArn } from '../resources.ts';
import { tagging } from '../tags.ts';

const describe = ({
  arn,
  domainNameArn,
  sourceType,
  source,
  tags,
}: DeepReadonly<AccessAssociationRecord>): DomainNameAccessAssociation => ({
  domainNameAccessAssociationArn: arn,
  domainNameArn,
  accessAssociationSourceType: sourceType,
  accessAssociationSource: source,
  ...(tags && { tags: { ...tags } }),
});

/** Returns the name of a private domain of the account, by ARN. */
function nameOf(arn: string, { state }: ApigatewayContext): string {
  for (const { domainName, domainNameId } of state.domains.values())
    if (domainNameId !== undefined && domainArn(state, domainName, domainNameId) === arn) return domainName;
  throw badRequest('Invalid domain name ARN specified');
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateDomainNameAccessAssociation.html */
export function CreateDomainNameAccessAssociation(
  input: InputOf<'CreateDomainNameAccessAssociation'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateDomainNameAccessAssociation'> {
  const { domainNameArn, accessAssociationSourceType: sourceType, accessAssociationSource: source, tags } = input;
  const name = nameOf(domainNameArn, ctx);
  const arn = associationArn(ctx.state, name, 'vpcesource', source);
  if (ctx.state.associations.has(arn)) throw conflict('The access association exists already');
  const merged = tags && tagging.merge(undefined, tags);
  const record: AccessAssociationRecord = { arn, domainNameArn, sourceType, source, ...(merged && { tags: merged }) };
  return describe(ctx.state.associations.put(arn, record));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDomainNameAccessAssociations.html */
export function GetDomainNameAccessAssociations(
  input: InputOf<'GetDomainNameAccessAssociations'>,
  { state }: ApigatewayContext,
): OutputOf<'GetDomainNameAccessAssociations'> {
  return paging
    .page(
      'GetDomainNameAccessAssociations',
      input,
      input.resourceOwner === 'OTHER_ACCOUNTS' ? [] : state.associations.values(),
      ({ arn }) => arn,
    )
    .list(describe);
}

function remove(arn: string, { state }: ApigatewayContext): Record<string, never> {
  if (!state.associations.delete(arn)) throw notFound('Invalid domain name access association identifier specified');
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteDomainNameAccessAssociation.html */
export function DeleteDomainNameAccessAssociation(
  input: InputOf<'DeleteDomainNameAccessAssociation'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteDomainNameAccessAssociation'> {
  return remove(input.domainNameAccessAssociationArn, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_RejectDomainNameAccessAssociation.html */
export function RejectDomainNameAccessAssociation(
  input: InputOf<'RejectDomainNameAccessAssociation'>,
  ctx: ApigatewayContext,
): OutputOf<'RejectDomainNameAccessAssociation'> {
  const association = ctx.state.associations.get(input.domainNameAccessAssociationArn);
  if (association && association.domainNameArn !== input.domainNameArn)
    throw badRequest('The access association is of another domain name');
  return remove(input.domainNameAccessAssociationArn, ctx);
}
