import { awsError } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type {
  CallOptions,
  OperationInput,
  OperationName,
  OperationOutput,
  ServiceCaller,
  ServiceName,
} from '../calls/calls.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../time/clock.ts';
import type { NameFacts } from './facts.ts';
import { type NameParts, physicalName } from './names.ts';
import type { ProviderContext, WaitOptions } from './provider.ts';

/** The part of a service's handle or state that running providers requires. */
export interface ProviderHost extends ServiceCaller {
  readonly ids: Ids;
  readonly log: Logger;
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** One step of a resource: its place, principal and resource. */
export interface ProviderStep {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly principal: Principal;
  readonly endpoint: string;
  /** Clock of the state that runs the step; ends its waits. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly token: string;
  readonly stack?: ProviderContext['stack'];
  readonly names: NameParts;
  /** Default naming rules, from the type's facts. */
  readonly nameRules?: NameFacts | undefined;
  /** Id of the request that causes the step. */
  readonly cause?: string | undefined;
  /** Texts that records of the step's calls mask; the step may add some. */
  readonly secrets?: ReadonlySet<string> | undefined;
  /** Called with an identifier as soon as the resource exists. */
  created(identifier: string): void;
}

const SECOND = 1000;
const HOUR = 3_600_000;

/**
 * Creates the context of a step, for CloudFormation, Cloud Control and tests. The step's principal makes the calls, and
 * needs permissions if policies are enforced.
 */
export function providerContext(host: ProviderHost, step: ProviderStep): ProviderContext {
  const { accountId, region, partition, principal, endpoint, clock, signal, token, stack, cause, secrets } = step;
  const asStep = (options?: CallOptions): CallOptions => ({
    accountId,
    region,
    principal,
    signal,
    cause,
    endpoint,
    authorize: {},
    ...(secrets?.size && { secrets: [...secrets] }),
    ...options,
  });
  return {
    accountId,
    region,
    partition,
    principal,
    endpoint,
    clock,
    ids: host.ids,
    log: host.log,
    signal,
    token,
    stack,
    name(rules: Omit<NameFacts, 'property'> | undefined = step.nameRules, suffix?: string) {
      return physicalName(step.names, rules, suffix);
    },
    created: step.created,
    until: (condition, options) => waitFor(condition, clock, signal, options),
    capability: (capability) => host.capability(capability),
    call<Service extends ServiceName, Operation extends OperationName<Service>>(
      service: Service,
      operation: Operation,
      input: OperationInput<Service, Operation>,
      options?: CallOptions,
    ): Promise<OperationOutput<Service, Operation>> {
      return host.call(service, operation, input, asStep(options));
    },
    callJson: (service, operation, json, options) => host.callJson(service, operation, json, asStep(options)),
  };
}

/** See `ProviderContext.until`. */
export async function waitFor(
  condition: () => Promise<boolean> | boolean,
  clock: Clock,
  signal: AbortSignal,
  { interval = SECOND, limit = HOUR }: WaitOptions = {},
): Promise<void> {
  const end = clock.now() + limit;
  while (!(await condition())) {
    if (clock.now() >= end) throw awsError('NotStabilized', 'Exceeded attempts to wait');
    await pause(clock, signal, interval);
  }
}

/** Waits for emulated time. @throws the signal's reason if it is aborted first */
function pause(clock: Clock, signal: AbortSignal, duration: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.after(duration, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
