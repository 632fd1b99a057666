import { defineResource, taggedRecord } from '@emu/core/service';
import type { StepfunctionsRegistry } from './registry.ts';
import { tagging } from './tags.ts';

/** Aliases and versions: their names follow the state machine's; a version's name is its number. */
export const qualifiedType = defineResource({
  name: 'statemachinealias',
  service: 'states',
  scope: 'region',
  format: 'stateMachine:{machine}:{qualifier}',
  cloudFormation: 'AWS::StepFunctions::StateMachineAlias',
  arnMembers: ['stateMachineAliasArn', 'stateMachineVersionArn'],
  find: (state: StepfunctionsRegistry, { machine, qualifier }) =>
    state.alias(machine, qualifier) || state.version(machine, qualifier) ? { machine, qualifier } : undefined,
  list: (state) => state.listAliases().map(({ machine, name }) => ({ machine, qualifier: name })),
});

/** State machines. */
export const machineType = defineResource({
  name: 'statemachine',
  service: 'states',
  scope: 'region',
  format: 'stateMachine:{name}',
  cloudFormation: 'AWS::StepFunctions::StateMachine',
  arnMembers: ['stateMachineArn', 'resourceArn'],
  find: (state: StepfunctionsRegistry, { name }) => (state.machine(name) ? { name } : undefined),
  list: (state) => state.listMachines().map(({ name }) => ({ name })),
  count: (state) => state.machineCount,
  tagged: { tagging, find: ({ machines }, { name }) => taggedRecord(machines, name) },
});

/** Standard executions. */
export const executionType = defineResource({
  name: 'execution',
  service: 'states',
  scope: 'region',
  format: 'execution:{machine}:{name}',
  arnMembers: ['executionArn'],
  find: (state: StepfunctionsRegistry, { machine, name }) =>
    state.executions.get(machine, name) ? { machine, name } : undefined,
});

/** Map Runs of distributed maps. */
export const mapRunType = defineResource({
  name: 'maprun',
  service: 'states',
  scope: 'region',
  format: 'mapRun:{machine}/{label}:{id}',
  arnMembers: ['mapRunArn'],
  find: (state: StepfunctionsRegistry, key) => (state.hasMapRun(key) ? key : undefined),
});

/** Activities. */
export const activityType = defineResource({
  name: 'activity',
  service: 'states',
  scope: 'region',
  format: 'activity:{name}',
  cloudFormation: 'AWS::StepFunctions::Activity',
  arnMembers: ['activityArn', 'resourceArn'],
  find: (state: StepfunctionsRegistry, { name }) => (state.activity(name) ? { name } : undefined),
  list: (state) => state.listActivities().map(({ name }) => ({ name })),
  count: (state) => state.activityCount,
  tagged: { tagging, find: ({ activities }, { name }) => taggedRecord(activities, name) },
});

/** All resource types, most specific first. */
export const resources = [qualifiedType, machineType, executionType, mapRunType, activityType] as const;
