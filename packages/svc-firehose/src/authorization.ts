import { type AuthorizationRequest, permissionOn, type ServiceAuthorization } from '@emu/core/service';
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

/**
 * What Firehose's operations need: their own action on the delivery stream, and the roles that they give it.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisfirehose.html
 */
export const authorization: ServiceAuthorization<FirehoseOperations, FirehoseState> = {
  prefix: 'firehose',
  roles: {
    CreateDeliveryStream: { '**.RoleARN': 'firehose' },
    UpdateDestination: { '**.RoleARN': 'firehose' },
  },
  otherwise: (operation, input, ctx) => needs(operation, input as NamedInput, ctx),
};
