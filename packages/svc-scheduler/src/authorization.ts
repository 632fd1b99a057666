import { type AuthorizationRequest, namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { SchedulerOperations } from '@emu/service-types/scheduler';
import type { SchedulerContext } from './context.ts';
import { resources } from './resources.ts';
import type { SchedulerState } from './state.ts';

/** Returns the permission for an operation on the resource that its input names. */
function onNamed(operation: string, input: object, ctx: SchedulerContext): AuthorizationRequest {
  const action = `scheduler:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  return permissionOn(action, named.type, named.address, ctx.handle);
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
  tagOnCreate: { CreateScheduleGroup: 'TagResource' },
  otherwise: (operation, input, ctx) => onNamed(operation, input as object, ctx),
};
