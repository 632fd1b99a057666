import { defineResource } from '@emu/core';
import type { StackRegistry } from './stacks/registry.ts';

/**
 * Stacks.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudformation.html
 */
export const stackType = defineResource({
  name: 'stack',
  service: 'cloudformation',
  scope: 'region',
  format: 'stack/{name}/{uuid}',
  cloudFormation: 'AWS::CloudFormation::Stack',
  arnMembers: ['StackName', 'StackId'],
  identify: (input, place): { key: { name: string; uuid: string }; place: typeof place } | undefined =>
    typeof input.StackName === 'string' && !input.StackName.startsWith('arn:')
      ? { key: { name: input.StackName, uuid: '*' }, place }
      : undefined,
  find: (store: StackRegistry, { uuid }) => {
    const stack = store.stack(uuid);
    return stack && { name: stack.name, uuid };
  },
  list: (store) => store.activeStacks().map(({ name, uuid }) => ({ name, uuid })),
  tags: (store, { uuid }) => {
    const tags = store.stack(uuid)?.tags;
    return tags && Object.fromEntries(tags.map(({ Key, Value }) => [Key!, Value!]));
  },
});

/** Change sets. */
export const changeSetType = defineResource({
  name: 'changeset',
  service: 'cloudformation',
  scope: 'region',
  format: 'changeSet/{name}/{uuid}',
  arnMembers: ['ChangeSetName'],
  find: (store: StackRegistry, { uuid }) => {
    const changeSet = store.changeSet(uuid);
    return changeSet && { name: changeSet.name, uuid };
  },
});

/** Every type of CloudFormation's resources. */
export const resources = [stackType, changeSetType];
