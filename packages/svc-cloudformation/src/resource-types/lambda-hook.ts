import { hookConfiguration } from '../registry/hook-configuration.ts';
import { HOOKS_PUBLISHER, LAMBDA_HOOK, PUBLIC_TYPES } from '../registry/public-types.ts';
import type { TypeRegistry } from '../registry/registry.ts';
import type { OwnProvider } from './own.ts';

interface LambdaHookProperties {
  Alias: string;
  ExecutionRole: string;
  FailureMode: string;
  HookStatus: string;
  LambdaFunction: string;
  TargetOperations: string[];
  StackFilters?: unknown;
  TargetFilters?: unknown;
}

/** Converts the properties to the hook configuration. */
function configurationOf(properties: Readonly<Record<string, unknown>>): string {
  const { FailureMode, HookStatus, LambdaFunction, TargetOperations, StackFilters, TargetFilters } =
    properties as unknown as LambdaHookProperties;
  return JSON.stringify({
    CloudFormationConfiguration: {
      HookConfiguration: {
        HookInvocationStatus: HookStatus,
        TargetOperations,
        FailureMode,
        Properties: { LambdaFunction },
        ...(TargetFilters !== undefined && { TargetFilters }),
        ...(StackFilters !== undefined && { StackFilters }),
      },
    },
  });
}

/**
 * Lambda Hooks: an activated AWS hook with its configuration.
 * @param now the time, in epoch milliseconds
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-lambdahook.html
 */
export function lambdaHook(registry: TypeRegistry, now: () => number): OwnProvider {
  const arn = (name: string) => registry.arn({ name });
  const byArn = (identifier: string) => registry.all().find(({ name }) => arn(name) === identifier);
  return {
    typeName: 'AWS::CloudFormation::LambdaHook',
    facts: {
      primaryIdentifier: ['HookArn'],
      attributes: { HookArn: 'string' },
      properties: {
        Alias: { type: 'string', required: true, replacement: 'yes' },
        ExecutionRole: { type: 'string', required: true },
        FailureMode: { type: { enum: ['FAIL', 'WARN'] }, required: true },
        HookStatus: { type: { enum: ['ENABLED', 'DISABLED'] }, required: true },
        LambdaFunction: { type: 'string', required: true },
        TargetOperations: { type: { list: 'string' }, required: true },
        StackFilters: { type: 'json' },
        TargetFilters: { type: 'json' },
      },
    },
    handles: [
      'Alias',
      'ExecutionRole',
      'FailureMode',
      'HookStatus',
      'LambdaFunction',
      'TargetOperations',
      'StackFilters',
      'TargetFilters',
    ],
    async create(properties) {
      const { Alias: name, ExecutionRole } = properties as unknown as LambdaHookProperties;
      const configuration = configurationOf(properties);
      hookConfiguration(configuration);
      if (registry.activated(name)) throw new Error(`The type ${name} is already activated.`);
      registry.put({
        name,
        originalName: LAMBDA_HOOK,
        publisherId: HOOKS_PUBLISHER,
        version: PUBLIC_TYPES.find((type) => type.name === LAMBDA_HOOK)!.version,
        autoUpdate: true,
        executionRoleArn: ExecutionRole,
        activatedAt: now(),
        configuration,
        configurationVersion: 1,
        configuredAt: now(),
      });
      return { identifier: arn(name), attributes: { HookArn: arn(name) } };
    },
    async read(identifier) {
      return byArn(identifier) && { properties: {}, attributes: { HookArn: identifier } };
    },
    async update(identifier, _previous, desired) {
      const configuration = configurationOf(desired);
      hookConfiguration(configuration);
      registry.update(byArn(identifier)!.name, (draft) => {
        draft.executionRoleArn = String(desired.ExecutionRole);
        draft.configuration = configuration;
        draft.configurationVersion++;
        draft.configuredAt = now();
      });
    },
    async delete(identifier) {
      const known = byArn(identifier);
      if (known) registry.delete(known.name);
    },
    list: async () =>
      registry
        .all()
        .filter(({ kind = 'HOOK' }) => kind === 'HOOK')
        .map(({ name }) => arn(name)),
  };
}
