import { defineResource, tagMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/cloudformation';
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
  tags: (store, { uuid }) => tagMap(store.stack(uuid)?.tags),
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

/** A stack set as lookup needs it. */
interface KnownSet {
  readonly name: string;
  readonly uuid: string;
  readonly status: string;
  readonly tags: readonly Readonly<Tag>[];
}

/** State needed to look up stack sets. */
interface StackSetRegistry {
  readonly stackSets: { find(name: string): KnownSet | undefined; all(): readonly KnownSet[] };
}

/** Stack sets. */
export const stackSetType = defineResource({
  name: 'stackset',
  service: 'cloudformation',
  scope: 'region',
  format: 'stackset/{name}:{uuid}',
  arnMembers: ['StackSetName'],
  identify: (input, place): { key: { name: string; uuid: string }; place: typeof place } | undefined => {
    const { StackSetName } = input;
    if (typeof StackSetName !== 'string' || StackSetName.startsWith('arn:')) return undefined;
    const [name = '', uuid = '*'] = StackSetName.split(':');
    return { key: { name, uuid }, place };
  },
  find: ({ stackSets }: StackSetRegistry, { name, uuid }) => {
    const set = stackSets.find(`${name}:${uuid}`);
    return set?.status === 'ACTIVE' ? { name: set.name, uuid: set.uuid } : undefined;
  },
  list: ({ stackSets }) =>
    stackSets
      .all()
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ name, uuid }) => ({ name, uuid })),
  tags: ({ stackSets }, { name, uuid }) => tagMap(stackSets.find(`${name}:${uuid}`)?.tags),
});

/** Scans of existing resources. */
export const resourceScanType = defineResource({
  name: 'resourcescan',
  service: 'cloudformation',
  scope: 'region',
  format: 'resourceScan/{uuid}',
  arnMembers: ['ResourceScanId'],
  find: ({ scans }: { scans: { get(uuid: string): unknown } }, { uuid }) => (scans.get(uuid) ? { uuid } : undefined),
});

/** Templates generated from existing resources. */
export const generatedTemplateType = defineResource({
  name: 'generatedtemplate',
  service: 'cloudformation',
  scope: 'region',
  format: 'generatedtemplate/{uuid}',
  arnMembers: ['GeneratedTemplateName'],
  find: ({ generated }: { generated: { all(): readonly { uuid: string }[] } }, { uuid }) =>
    generated.all().some((template) => template.uuid === uuid) ? { uuid } : undefined,
});

/** State needed to look up extensions. */
interface ActivatedTypes {
  readonly registry: { all(): readonly { readonly name: string; readonly kind?: string }[] };
}

const dashed = (name: string): string => name.replaceAll('::', '-');

/** Activated hooks of the account, by name with dashes. */
export const hookType = defineResource({
  name: 'type',
  service: 'cloudformation',
  scope: 'region',
  format: 'type/hook/{name}',
  arnMembers: ['TypeArn', 'Arn'],
  find: ({ registry }: ActivatedTypes, { name }) =>
    registry.all().some((type) => (type.kind ?? 'HOOK') === 'HOOK' && dashed(type.name) === name)
      ? { name }
      : undefined,
});

/** Private and activated modules of an account, by name with dashes. */
export const moduleType = defineResource({
  name: 'type',
  service: 'cloudformation',
  scope: 'region',
  format: 'type/module/{name}',
  arnMembers: ['Arn', 'TypeArn'],
  find: ({ modules, registry }: ActivatedTypes & { modules: { names(): readonly string[] } }, { name }) =>
    modules.names().some((module) => dashed(module) === name) ||
    registry.all().some((type) => type.kind === 'MODULE' && dashed(type.name) === name)
      ? { name }
      : undefined,
});

/** All resource types of CloudFormation. */
export const resources = [
  stackType,
  changeSetType,
  stackSetType,
  resourceScanType,
  generatedTemplateType,
  hookType,
  moduleType,
];
