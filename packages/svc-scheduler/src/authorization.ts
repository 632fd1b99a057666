import {
  type AuthorizationRequest,
  namedResource,
  permissionOn,
  type ServiceAuthorization,
  type TagRecord,
} from '@emu/core/service';
import type { SchedulerOperations, Tag } from '@emu/service-types/scheduler';
import type { SchedulerContext } from './context.ts';
import { groupType, resources } from './resources.ts';
import type { SchedulerState } from './state.ts';
import { tagging } from './tags.ts';

/** Tags in a request. */
interface TagInput {
  Tags?: Tag[];
  TagKeys?: string[];
}

/** Returns the permission for an operation on the resource that its input names. */
function onNamed(operation: string, input: object, ctx: SchedulerContext): AuthorizationRequest {
  const action = `scheduler:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  const { Tags, TagKeys: keys } = input as TagInput;
  const request: TagRecord | undefined = tagging.record(Tags);
  return permissionOn(action, named.type, named.address, ctx.handle, { request, keys });
}

/**
 * Permissions that the operations of EventBridge Scheduler require.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgescheduler.html
 */
export const authorization: ServiceAuthorization<SchedulerOperations, SchedulerState> = {
  roles: {
    CreateSchedule: { 'Target.RoleArn': 'scheduler' },
    UpdateSchedule: { 'Target.RoleArn': 'scheduler' },
  },
  operations: {
    CreateScheduleGroup: (input, ctx) => {
      const made = onNamed('CreateScheduleGroup', input, ctx);
      if (!input.Tags?.length) return made;
      const address = { key: { name: input.Name }, place: ctx };
      const tags = { request: tagging.record(input.Tags) };
      return [made, permissionOn('scheduler:TagResource', groupType, address, ctx.handle, tags)];
    },
  },
  otherwise: (operation, input, ctx) => onNamed(operation, input as object, ctx),
};
