import { namedResource, passRole, permissionOn, type ServiceAuthorization } from '@emu/core';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import { machineType, resources } from './resources.ts';
import type { StepfunctionsState } from './state.ts';

const PRINCIPAL = 'states.amazonaws.com';

/**
 * What operations need: their own action on what they name, and for a role the permission to pass it.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
 */
export const authorization: ServiceAuthorization<StepfunctionsOperations, StepfunctionsState> = {
  prefix: 'states',
  operations: {
    CreateStateMachine: ({ name, roleArn }, ctx) => [
      permissionOn('states:CreateStateMachine', machineType, { key: { name }, place: ctx }, ctx.handle),
      passRole(roleArn, PRINCIPAL),
    ],
    // https://docs.aws.amazon.com/step-functions/latest/dg/test-state-isolation.html#test-state-permissions
    TestState: ({ roleArn, revealSecrets }) => [
      { action: 'states:TestState', resource: '*' },
      ...(revealSecrets ? [{ action: 'states:RevealSecrets', resource: '*' }] : []),
      ...(roleArn === undefined ? [] : [passRole(roleArn, PRINCIPAL)]),
    ],
  },
  otherwise(operation, input, ctx) {
    const action = `states:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    const own = named ? permissionOn(action, named.type, named.address, ctx.handle) : { action, resource: '*' };
    const { roleArn } = input as { roleArn?: string };
    return roleArn === undefined ? [own] : [own, passRole(roleArn, PRINCIPAL)];
  },
};
