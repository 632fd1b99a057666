import { QueryType, type ResourceQuery } from '@aws-sdk/client-resource-groups';
import { rejection } from '@emu/gateway/testing';

/** Configuration of an application group. */
export const APPLICATION = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }];

/** Returns a query for tags. @param tags values by key; an empty list matches any value */
export function tagQuery(tags: Record<string, string[]>, types = ['AWS::AllSupported']): ResourceQuery {
  const TagFilters = Object.entries(tags).map(([Key, Values]) => ({ Key, Values }));
  return { Type: QueryType.TAG_FILTERS_1_0, Query: JSON.stringify({ ResourceTypeFilters: types, TagFilters }) };
}

/** Returns a query for the resources of a stack. */
export function stackQuery(StackIdentifier: string, types = ['AWS::AllSupported']): ResourceQuery {
  const Query = JSON.stringify({ ResourceTypeFilters: types, StackIdentifier });
  return { Type: QueryType.CLOUDFORMATION_STACK_1_0, Query };
}

/** Returns code and message of a request that must fail, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await rejection(request);
  return `${name}: ${message}`;
}
