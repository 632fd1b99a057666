import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import { resources } from './resources.ts';
import type { KinesisState } from './state.ts';
import { tagging } from './tags.ts';

/**
 * Permissions of Kinesis's operations: their own action on the stream or consumer.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonkinesisdatastreams.html
 */
export const authorization: ServiceAuthorization<KinesisOperations, KinesisState> = {
  prefix: 'kinesis',
  operations: {},
  otherwise(operation, input, ctx) {
    const action = `kinesis:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    if (!named) return { action, resource: '*' };
    return permissionOn(action, named.type, named.address, ctx.handle, tagging.conditions(input as object));
  },
};
