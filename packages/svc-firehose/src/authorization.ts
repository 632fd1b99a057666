import { type AuthorizationRequest, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { FirehoseOperations } from '@emu/service-types/firehose';
import type { FirehoseContext } from './context.ts';
import { streamType } from './resources.ts';
import type { FirehoseState } from './state.ts';

/** Input members used by permissions. */
interface NamedInput {
  DeliveryStreamName?: string;
}

/** Returns the operation's own action on the delivery stream in the input. */
function needs(operation: string, input: NamedInput, ctx: FirehoseContext): AuthorizationRequest {
  const action = `firehose:${operation}`;
  const { DeliveryStreamName: name } = input;
  if (name === undefined) return { action, resource: '*' };
  return permissionOn(action, streamType, { key: { name }, place: ctx }, ctx.handle);
}

/**
 * Permissions of Firehose's operations: their own action on the delivery stream, and passing its roles.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisfirehose.html
 */
export const authorization: ServiceAuthorization<FirehoseOperations, FirehoseState> = {
  prefix: 'firehose',
  roles: {
    CreateDeliveryStream: { '**.RoleARN': 'firehose' },
    UpdateDestination: { '**.RoleARN': 'firehose' },
  },
  // https://docs.aws.amazon.com/firehose/latest/dev/firehose-tagging-basics.html
  tagOnCreate: { CreateDeliveryStream: 'TagDeliveryStream' },
  otherwise: (operation, input, ctx) => needs(operation, input as NamedInput, ctx),
};
