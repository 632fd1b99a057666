import {
  type Principal,
  type ProviderContext,
  type ProviderHost,
  partitionOf,
  providerContext,
  type ResourceProvider,
  roleSessionPrincipal,
  type StateScope,
} from '@emu/core/service';
import type { EventLog } from './engine/events.ts';
import type { TypeRegistry } from './registry/registry.ts';
import type { Signals } from './resource-types/signals.ts';
import type { DeploymentRecord } from './stacks/records.ts';
import type { Operation } from './stacks/registry.ts';
import type { StackStore } from './stacks/store.ts';

/** Dependencies of the engine. */
export interface EngineHost {
  readonly store: StackStore;
  readonly scope: StateScope;
  readonly events: EventLog;
  readonly signals: Signals;
  readonly registry: TypeRegistry;
  /** Returns the provider of a type, including CloudFormation's own; undefined if missing. */
  provider(typeName: string): Promise<ResourceProvider | undefined>;
}

/** A running operation. */
export interface Run {
  readonly host: EngineHost;
  /** Uuid of the stack. */
  readonly stack: string;
  /** Aborted when the current phase must stop; each phase has its own. */
  readonly signal: AbortSignal;
  /**
   * Stops the current phase.
   * @param reason reported for everything that is stopped
   */
  stop(reason: Error): void;
  /** Lets other work run between the steps of all stacks; undefined if nothing has to wait. */
  pause(): Promise<void> | undefined;
  /** Starts a new phase with a fresh abort signal. */
  renew(): void;
  /** The stored operation. */
  readonly operation: () => Operation;
  /** Whether the state is closed, so that nothing may be written any more. */
  readonly closed: () => boolean;
}

/** Returns the identity for the resources of a deployment: its role, or the caller of the operation. */
export function principalOf({ roleArn }: Pick<DeploymentRecord, 'roleArn'>, principal: Principal): Principal {
  return roleArn === undefined ? principal : roleSessionPrincipal(roleArn, 'AWSCloudFormation');
}

/** Caller of providers outside of stack operations. */
export interface Asker {
  readonly principal: Principal;
  readonly endpoint: string;
  /** Id of the request. */
  readonly cause: string | undefined;
}

/** Calls available to providers, bound to a scope. */
const providerHost = (scope: StateScope): ProviderHost => ({
  ids: scope.ids,
  log: scope.log,
  capability: (capability) => scope.service.capability(capability),
  call: (service, name, input, options) => scope.call(service, name, input, options),
  callJson: (service, name, json, options) => scope.callJson(service, name, json, options),
});

/** Returns the context for reading and listing resources, without changes. */
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

/** Purpose of a resource step. */
export interface StepOptions {
  readonly logicalId: string;
  readonly random: string;
  readonly provider?: ResourceProvider;
  created?(identifier: string): void;
}

/** Context of one step of a resource. */
export interface StepContext extends ProviderContext {
  /** Values that records of the step's calls mask: of NoEcho parameters and dynamic references. */
  readonly secrets: Set<string>;
}

/** Returns the context of one step of a resource. */
export function stepContext(run: Run, { logicalId, random, provider, created }: StepOptions): StepContext {
  const { host, signal } = run;
  const { store, scope } = host;
  const stack = store.stack(run.stack)!;
  const operation = run.operation();
  const deployments = [stack, operation.target ?? stack];
  const secrets = new Set(
    deployments.flatMap(({ parameters }) =>
      parameters.flatMap(({ noEcho, resolved, value }) => (noEcho ? [resolved ?? value] : [])),
    ),
  );
  const ctx = providerContext(providerHost(scope), {
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
    secrets,
  });
  return { ...ctx, secrets };
}
