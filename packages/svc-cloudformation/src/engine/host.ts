import {
  type Principal,
  type ProviderContext,
  type ProviderHost,
  partitionOf,
  providerContext,
  type ResourceProvider,
  roleSessionPrincipal,
  type StateScope,
} from '@emu/core';
import type { TypeRegistry } from '../registry/registry.ts';
import type { Signals } from '../resource-types/signals.ts';
import type { DeploymentRecord } from '../stacks/records.ts';
import type { Operation } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import type { EventLog } from './events.ts';

/** What the engine works with. */
export interface EngineHost {
  readonly store: StackStore;
  readonly scope: StateScope;
  readonly events: EventLog;
  readonly signals: Signals;
  readonly registry: TypeRegistry;
  /** The provider of a type, CloudFormation's own among them; undefined where there is none. */
  provider(typeName: string): Promise<ResourceProvider | undefined>;
}

/** One operation while it runs. */
export interface Run {
  readonly host: EngineHost;
  /** Uuid of the stack. */
  readonly stack: string;
  /** Aborted where what is being done now is to end; each phase has its own. */
  readonly signal: AbortSignal;
  /** Ends what is being done. @param reason that stands for everything that is ended by it */
  stop(reason: Error): void;
  /** Begins another phase, which what ended the last one does not concern. */
  renew(): void;
  /** The operation as it is kept now. */
  readonly operation: () => Operation;
  /** Whether the state has ended, so that nothing may be written any more. */
  readonly closed: () => boolean;
}

/** As whom the resources of a deployment are made: its role, or whoever asked for the operation. */
export function principalOf({ roleArn }: Pick<DeploymentRecord, 'roleArn'>, principal: Principal): Principal {
  return roleArn === undefined ? principal : roleSessionPrincipal(roleArn, 'AWSCloudFormation');
}

/** On whose behalf providers are asked outside the work on a stack. */
export interface Asker {
  readonly principal: Principal;
  readonly endpoint: string;
  /** Id of the request that it is for. */
  readonly cause: string | undefined;
}

/** Providers' calls, as a scope makes them. */
const providerHost = (scope: StateScope): ProviderHost => ({
  ids: scope.ids,
  log: scope.log,
  capability: (capability) => scope.service.capability(capability),
  call: (service, name, input, options) => scope.call(service, name, input, options),
  callJson: (service, name, json, options) => scope.callJson(service, name, json, options),
});

/** The context in which resources are read and listed, but not changed. */
export function readingContext(
  scope: StateScope,
  { principal, endpoint, cause }: Asker,
  signal: AbortSignal,
): ProviderContext {
  return providerContext(providerHost(scope), {
    accountId: scope.accountId,
    region: scope.region,
    partition: scope.partition,
    principal,
    endpoint,
    clock: scope.clock,
    signal,
    token: cause ?? '',
    names: { words: [], random: '' },
    cause,
    created: () => undefined,
  });
}

/** What a step of a resource is for. */
export interface StepOptions {
  readonly logicalId: string;
  readonly random: string;
  readonly provider?: ResourceProvider;
  created?(identifier: string): void;
}

/** The context of one step of a resource. */
export function stepContext(run: Run, { logicalId, random, provider, created }: StepOptions): ProviderContext {
  const { host, signal } = run;
  const { store, scope } = host;
  const stack = store.stack(run.stack)!;
  const operation = run.operation();
  return providerContext(providerHost(scope), {
    accountId: store.accountId,
    region: store.region,
    partition: partitionOf(store.region),
    principal: principalOf(operation.target ?? stack, operation.principal as Principal),
    endpoint: operation.endpoint,
    clock: store.clock,
    signal,
    token: `${operation.id}-${logicalId}`,
    stack: { id: store.arn(stack), name: stack.name, logicalId },
    names: { words: [stack.name, logicalId], random },
    nameRules: provider?.facts.name,
    cause: operation.cause,
    created: (identifier) => created?.(identifier),
  });
}
