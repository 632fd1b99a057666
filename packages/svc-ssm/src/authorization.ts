import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core';
import type { SsmOperations, Tag } from '@emu/service-types/ssm';
import type { SsmContext } from './lookup.ts';
import { parameterType, resources } from './resources.ts';
import type { SsmState } from './state.ts';
import { tagRecord } from './tags.ts';

/** Tags in an input. */
interface TagInput {
  Tags?: Tag[];
  TagKeys?: string[];
}

function requirement(operation: string, input: object, ctx: SsmContext) {
  const action = `ssm:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  const { Tags, TagKeys: keys } = input as TagInput;
  return permissionOn(action, named.type, named.address, ctx.handle, { request: tagRecord(Tags), keys });
}

/** A permission for each parameter that a list names. */
const ofEach =
  (operation: string) =>
  ({ Names }: { Names: string[] }, ctx: SsmContext) =>
    Names.map((Name) => requirement(operation, { Name }, ctx));

/**
 * What Systems Manager's operations need: their own action on the parameter.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export const authorization: ServiceAuthorization<SsmOperations, SsmState> = {
  prefix: 'ssm',
  operations: {
    GetParameters: ofEach('GetParameters'),
    DeleteParameters: ofEach('DeleteParameters'),
    DescribeParameters: (_input, ctx) => ({
      action: 'ssm:DescribeParameters',
      resource: parameterType.arn({ name: '*' }, ctx).replace('parameter/', ''),
    }),
  },
  otherwise: (operation, input, ctx) => requirement(operation, input as object, ctx),
};
