import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import { activityType, machineType, resources } from './resources.ts';
import type { StepfunctionsState } from './state.ts';

/**
 * Permissions of operations: their own action on the named resource, and `iam:PassRole` for roles.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
 */
export const authorization: ServiceAuthorization<StepfunctionsOperations, StepfunctionsState> = {
  prefix: 'states',
  roles: {
    CreateStateMachine: { roleArn: 'states' },
    TestState: { roleArn: 'states' },
    UpdateStateMachine: { roleArn: 'states' },
  },
  operations: {
    CreateActivity: ({ name }, ctx) =>
      permissionOn('states:CreateActivity', activityType, { key: { name }, place: ctx }, ctx.handle),
    CreateStateMachine: ({ name }, ctx) =>
      permissionOn('states:CreateStateMachine', machineType, { key: { name }, place: ctx }, ctx.handle),
    // On the state machine of the versions, which differ by their last part.
    CreateStateMachineAlias: ({ routingConfiguration: [first] }, ctx) => {
      const action = 'states:CreateStateMachineAlias';
      const address = machineType.parse(first?.stateMachineVersionArn.replace(/:\d+$/, '') ?? '');
      return address ? permissionOn(action, machineType, address, ctx.handle) : { action, resource: '*' };
    },
    // https://docs.aws.amazon.com/step-functions/latest/dg/test-state-isolation.html#test-state-permissions
    TestState: ({ revealSecrets }) => [
      { action: 'states:TestState', resource: '*' },
      ...(revealSecrets ? [{ action: 'states:RevealSecrets', resource: '*' }] : []),
    ],
  },
  otherwise(operation, input, ctx) {
    const action = `states:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    return named ? permissionOn(action, named.type, named.address, ctx.handle) : { action, resource: '*' };
  },
};
