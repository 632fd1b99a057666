import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, Tag } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { Named } from '../../named.ts';
import {
  configurationSetType,
  contactListType,
  endpointType,
  identityType,
  poolType,
  templateType,
  tenantType,
  testReportType,
  verificationTemplateType,
} from '../../resources.ts';
import type { SesState } from '../../state.ts';
import { tagging } from '../../tags.ts';

/** Resource types with tags, with their storage. */
const TAGGED = [
  [identityType, (state: SesState) => state.identities],
  [configurationSetType, (state: SesState) => state.sets],
  [templateType, (state: SesState) => state.templates],
  [verificationTemplateType, (state: SesState) => state.verificationTemplates],
  [contactListType, (state: SesState) => state.contactLists],
  [poolType, (state: SesState) => state.pools],
  [testReportType, (state: SesState) => state.testReports],
  [tenantType, (state: SesState) => state.tenants],
  [endpointType, (state: SesState) => state.endpoints],
] as const;

/**
 * Returns the tagged resource of an ARN.
 * @throws AwsError for ARNs of other services and for unknown resources
 */
function taggedBy(
  arn: string,
  { state, accountId, region }: SesContext,
): { name: string; records: Named<{ tags: Tag[] }> } {
  if (parseArn(arn)?.service !== 'ses') throw badRequest(`Invalid resource ARN <${arn}>.`);
  for (const [type, recordsIn] of TAGGED) {
    const address = type.parse(arn);
    if (!address || address.place.accountId !== accountId || address.place.region !== region) continue;
    const found = type.find(state, address.key as never) as { name: string } | undefined;
    if (found) return { name: found.name, records: recordsIn(state) as unknown as Named<{ tags: Tag[] }> };
  }
  throw notFound(`Resource <${arn}> does not exist.`);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListTagsForResource.html */
export function ListTagsForResource(
  { ResourceArn }: InputOf<'ListTagsForResource'>,
  ctx: SesContext,
): OutputOf<'ListTagsForResource'> {
  const { name, records } = taggedBy(ResourceArn, ctx);
  return { Tags: records.get(name)!.tags.map((tag) => ({ ...tag })) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_TagResource.html */
export function TagResource({ ResourceArn, Tags }: InputOf<'TagResource'>, ctx: SesContext) {
  const { name, records } = taggedBy(ResourceArn, ctx);
  const tags = tagging.merge(records.get(name)!.tags, Tags);
  records.update(name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UntagResource.html */
export function UntagResource({ ResourceArn, TagKeys }: InputOf<'UntagResource'>, ctx: SesContext) {
  const { name, records } = taggedBy(ResourceArn, ctx);
  const tags = tagging.remove(records.get(name)!.tags, TagKeys);
  records.update(name, (draft) => {
    draft.tags = tags;
  });
  return {};
}
