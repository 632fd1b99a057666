import {
  type AnyResourceType,
  defineResource,
  type Place,
  type ResourceAddress,
  type TaggedResource,
  taggedRecord,
  taggedResource,
} from '@emu/core/service';
import { asString } from '@emu/wire';
import { isVersion, LATEST, readFunctionName } from './function-name.ts';
import { policyDocument } from './policy.ts';
import type { LambdaRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/** Returns the function in an input in any form, with the qualifier of its name or the input. */
function functionIn(input: Input, { accountId, region }: Place) {
  const value = asString(input.FunctionName);
  const parsed = value === undefined ? undefined : readFunctionName(value);
  return (
    parsed && {
      name: parsed.name,
      qualifier: asString(input.Qualifier) ?? parsed.qualifier,
      place: { accountId: parsed.accountId ?? accountId, region: parsed.region ?? region },
    }
  );
}

/** Returns the policy of a function, version or alias; a function shares the policy of `$LATEST`. */
function policyOf({ policies }: LambdaRegistry, name: string, qualifier: string): string | undefined {
  const policy = policies.get(`${name}:${qualifier}`);
  return policy && policyDocument(policy.statements);
}

/** Returns the tags of a function; a change creates a new revision of its `$LATEST`. */
function taggedFunction(registry: LambdaRegistry, name: string): TaggedResource<Record<string, string>> | undefined {
  return taggedResource(
    () => registry.functions.get(name),
    (change) => {
      registry.functions.update(name, change);
      registry.versions.update(`${name}:${LATEST}`, (draft) => {
        draft.revisionId = registry.ids.uuid();
      });
    },
  );
}

export const functionType = defineResource({
  name: 'function',
  service: 'lambda',
  scope: 'region',
  format: 'function:{name}',
  cloudFormation: 'AWS::Lambda::Function',
  identify(input, place) {
    const named = functionIn(input, place);
    return named && named.qualifier === undefined ? { key: { name: named.name }, place: named.place } : undefined;
  },
  arnMembers: ['Resource'],
  records: ({ functions }: LambdaRegistry) => functions,
  tagged: { tagging, find: (registry, { name }) => taggedFunction(registry, name) },
  policy: (registry, { name }) => policyOf(registry, name, LATEST),
});

/** Versions, including `$LATEST`. For permissions they have the tags of their function. */
export const versionType = defineResource({
  name: 'function version',
  service: 'lambda',
  scope: 'region',
  format: 'function:{name}:{version}',
  cloudFormation: 'AWS::Lambda::Version',
  identify(input, place) {
    const { name, qualifier, place: where } = functionIn(input, place) ?? {};
    if (name === undefined || qualifier === undefined || !isVersion(qualifier)) return undefined;
    return { key: { name, version: qualifier }, place: where! };
  },
  arnMembers: ['Resource'],
  find: ({ versions }: LambdaRegistry, { name, version }) =>
    versions.has(`${name}:${version}`) ? { name, version } : undefined,
  list: ({ versions }) => [...versions.values()].map(({ functionName: name, version }) => ({ name, version })),
  tags: ({ functions }, { name }) => functions.get(name)?.tags,
  untagged: true,
  policy: (registry, { name, version }) => policyOf(registry, name, version),
});

/** Aliases. For permissions they have the tags of their function. */
export const aliasType = defineResource({
  name: 'function alias',
  service: 'lambda',
  scope: 'region',
  format: 'function:{name}:{alias}',
  cloudFormation: 'AWS::Lambda::Alias',
  identify(input, place) {
    const { name, qualifier, place: where } = functionIn(input, place) ?? {};
    if (name === undefined || qualifier === undefined || isVersion(qualifier)) return undefined;
    return { key: { name, alias: qualifier }, place: where! };
  },
  find: ({ aliases }: LambdaRegistry, { name, alias }) =>
    aliases.has(`${name}:${alias}`) ? { name, alias } : undefined,
  list: ({ aliases }) => [...aliases.values()].map(({ functionName, name }) => ({ name: functionName, alias: name })),
  tags: ({ functions }, { name }) => functions.get(name)?.tags,
  untagged: true,
  policy: (registry, { name, alias }) => policyOf(registry, name, alias),
});

/** Returns the ARN of a function, version or alias. */
export const functionArn = (place: Place, name: string, qualifier?: string): string =>
  qualifier === undefined ? functionType.arn({ name }, place) : versionType.arn({ name, version: qualifier }, place);

/** Executions of durable functions, below the version that runs them. */
export const durableExecutionType = defineResource({
  name: 'durable execution',
  service: 'lambda',
  scope: 'region',
  format: 'function:{name}:{version}/durable-execution/{execution}/{id}',
  arnMembers: ['DurableExecutionArn'],
  find: (registry: LambdaRegistry, key) => (hasExecution(registry, key) ? key : undefined),
  list: ({ durableExecutions }) => [...durableExecutions.keys()].map(executionKey),
});

interface ExecutionKey {
  name: string;
  version: string;
  execution: string;
  id: string;
}

const executionKey = (arn: string): ExecutionKey => durableExecutionType.parse(arn)!.key;

const hasExecution = (registry: LambdaRegistry, key: ExecutionKey): boolean =>
  registry.durableExecutions.has(durableExecutionType.arn(key, registry));

/** Returns the parsed name or ARN of a layer: its name and location. */
function layerIn(input: Input, place: Place): { name: string; place: Place } | undefined {
  const named = asString(input.LayerName);
  if (named === undefined) return undefined;
  const address = layerType.parse(named);
  return address ? { name: address.key.name, place: address.place } : { name: named, place };
}

export const layerType = defineResource({
  name: 'layer',
  service: 'lambda',
  scope: 'region',
  format: 'layer:{name}',
  identify(input, place) {
    const layer = input.VersionNumber === undefined ? layerIn(input, place) : undefined;
    return layer && { key: { name: layer.name }, place: layer.place };
  },
  find: (registry: LambdaRegistry, { name }) => (layerNames(registry).has(name) ? { name } : undefined),
  list: (registry) => [...layerNames(registry)].map((name) => ({ name })),
});

/** Returns the names of layers. A layer exists as long as one of its versions does. */
const layerNames = ({ layerVersions }: LambdaRegistry): Set<string> =>
  new Set([...layerVersions.values()].map(({ layerName }) => layerName));

export const layerVersionType = defineResource({
  name: 'layer version',
  service: 'lambda',
  scope: 'region',
  format: 'layer:{name}:{version}',
  cloudFormation: 'AWS::Lambda::LayerVersion',
  identify(input, place) {
    const { VersionNumber: version } = input;
    const layer = typeof version === 'number' ? layerIn(input, place) : undefined;
    return layer && { key: { name: layer.name, version: String(version) }, place: layer.place };
  },
  arnMembers: ['Arn'],
  find: ({ layerVersions }: LambdaRegistry, { name, version }) =>
    layerVersions.has(`${name}:${version}`) ? { name, version } : undefined,
  list: ({ layerVersions }) =>
    [...layerVersions.values()].map(({ layerName: name, version }) => ({ name, version: String(version) })),
  policy({ layerVersions }, { name, version }) {
    const policy = layerVersions.get(`${name}:${version}`)?.policy;
    return policy && policyDocument(policy.statements);
  },
});

export const eventSourceMappingType = defineResource({
  name: 'eventSourceMapping',
  service: 'lambda',
  scope: 'region',
  format: 'event-source-mapping:{uuid}',
  cloudFormation: 'AWS::Lambda::EventSourceMapping',
  identify(input, place) {
    const uuid = asString(input.UUID);
    return uuid === undefined ? undefined : { key: { uuid }, place };
  },
  arnMembers: ['Resource'],
  records: ({ eventSourceMappings }: LambdaRegistry) => eventSourceMappings,
  tagged: { tagging, find: ({ eventSourceMappings }, { uuid }) => taggedRecord(eventSourceMappings, uuid) },
});

export const codeSigningConfigType = defineResource({
  name: 'code signing config',
  service: 'lambda',
  scope: 'region',
  format: 'code-signing-config:{id}',
  cloudFormation: 'AWS::Lambda::CodeSigningConfig',
  arnMembers: ['CodeSigningConfigArn', 'Resource'],
  records: ({ codeSigningConfigs }: LambdaRegistry) => codeSigningConfigs,
  tagged: { tagging, find: ({ codeSigningConfigs }, { id }) => taggedRecord(codeSigningConfigs, id) },
});

export const capacityProviderType = defineResource({
  name: 'capacity provider',
  service: 'lambda',
  scope: 'region',
  format: 'capacity-provider:{name}',
  cloudFormation: 'AWS::Lambda::CapacityProvider',
  identify(input, place) {
    const name = asString(input.CapacityProviderName);
    return name === undefined ? undefined : capacityProviderAddress(name, place);
  },
  arnMembers: ['Resource'],
  records: ({ capacityProviders }: LambdaRegistry) => capacityProviders,
  tagged: { tagging, find: ({ capacityProviders }, { name }) => taggedRecord(capacityProviders, name) },
});

/** Returns the parsed name or ARN of a capacity provider. */
export const capacityProviderAddress = (nameOrArn: string, place: Place): ResourceAddress<{ name: string }> =>
  capacityProviderType.parse(nameOrArn) ?? { key: { name: nameOrArn }, place };

/** Runtime versions belong to AWS and are not listed in a state. */
export const runtimeVersionType = defineResource({
  name: 'runtime version',
  service: 'lambda',
  scope: 'region-only',
  format: 'runtime:{id}',
});

/**
 * Resource types of Lambda. If an input names several resources, the first in this order is the operation's.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html
 */
export const resourceTypes: readonly AnyResourceType[] = [
  eventSourceMappingType,
  durableExecutionType,
  versionType,
  aliasType,
  functionType,
  layerVersionType,
  layerType,
  codeSigningConfigType,
  capacityProviderType,
];
