import { type AuthorizationRequest, passRole, permissionOn, type ServiceAuthorization } from '@emu/core';
import type { FirehoseOperations, Tag } from '@emu/service-types/firehose';
import type { FirehoseContext } from './context.ts';
import { streamType } from './resources.ts';
import type { FirehoseState } from './state.ts';

/** What permissions of delivery streams depend on in an input. */
interface NamedInput {
  DeliveryStreamName?: string;
  Tags?: Tag[];
  TagKeys?: string[];
}

/** An operation's own action on the delivery stream that the input names. */
function needs(operation: string, input: NamedInput, ctx: FirehoseContext): AuthorizationRequest {
  const action = `firehose:${operation}`;
  const { DeliveryStreamName: name, Tags, TagKeys: keys } = input;
  if (name === undefined) return { action, resource: '*' };
  const request = Tags && Object.fromEntries(Tags.map(({ Key, Value = '' }) => [Key, Value]));
  return permissionOn(action, streamType, { key: { name }, place: ctx }, ctx.handle, { request, keys });
}

/** The roles that a configuration names, at any depth. */
function rolesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'RoleARN' && typeof member === 'string' ? [member] : rolesIn(member),
  );
}

const configuring = (operation: string) => (input: object, ctx: FirehoseContext) => [
  needs(operation, input, ctx),
  ...[...new Set(rolesIn(input))].map((role) => passRole(role, 'firehose.amazonaws.com')),
];

/**
 * What Firehose's operations need: their own action on the delivery stream, and the roles that they give it.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisfirehose.html
 */
export const authorization: ServiceAuthorization<FirehoseOperations, FirehoseState> = {
  prefix: 'firehose',
  operations: {
    CreateDeliveryStream: configuring('CreateDeliveryStream'),
    UpdateDestination: configuring('UpdateDestination'),
  },
  otherwise: (operation, input, ctx) => needs(operation, input as NamedInput, ctx),
};
