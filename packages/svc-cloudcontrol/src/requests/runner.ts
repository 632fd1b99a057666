import {
  type HookProgress,
  type HookQuestion,
  type InterruptedWork,
  interruptedRecords,
  type Principal,
  type ProviderContext,
  providerContext,
  type ResourceProvider,
  recordsBy,
  resourceHooks,
  resourceProviders,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { handlerErrorCode } from '../errors.ts';
import type { Applied } from './applied.ts';
import { hasEnded, type Request, type Requests } from './requests.ts';

const NOTHING = (): void => undefined;

/** Context of a provider: principal and cause. */
export interface Step {
  readonly token: string;
  readonly random: string;
  readonly principal: Principal;
  readonly endpoint: string;
}

/** Runs requests, one after the other for each resource, and resumes them after a restart. */
export class Runner implements Worker {
  private readonly aborts = new Map<string, AbortController>();
  private closed = false;

  constructor(
    private readonly scope: StateScope,
    private readonly requests: Requests,
    private readonly applied: Applied,
  ) {}

  interrupted(): InterruptedWork[] {
    const { requests } = this;
    return interruptedRecords(
      recordsBy(
        () => requests.list(),
        ({ token }) => token,
        (token) => requests.find(token),
      ),
      {
        name: ({ token }) => `request ${token}`,
        isLeft: (request) => !hasEnded(request) && !this.aborts.has(request.token),
        resume: ({ token }) => this.run(token),
        fail: ({ token }, message) => this.end(token, { status: 'FAILED', errorCode: 'InternalFailure', message }),
      },
    );
  }

  close(): void {
    this.closed = true;
    for (const abort of this.aborts.values()) abort.abort(new Error('the emulator is closing'));
  }

  /** Starts a request after its response has been sent. */
  start(token: string): void {
    this.scope.clock.after(0, () => this.run(token));
  }

  /** Cancels a request. Resources that it has created remain. */
  cancel(token: string): void {
    this.requests.update(token, { status: 'CANCEL_COMPLETE' });
    this.aborts.get(token)?.abort(new Error('the request was cancelled'));
  }

  /** Returns the context of a provider. @param created called with the identifier of a new resource */
  context(
    step: Step,
    provider: ResourceProvider,
    signal: AbortSignal,
    created: (identifier: string) => void = NOTHING,
  ): ProviderContext {
    const { scope } = this;
    const { accountId, region, partition, clock } = scope;
    return providerContext(
      {
        ids: scope.ids,
        log: scope.log,
        capability: (capability) => scope.service.capability(capability),
        call: (service, operation, input, options) => scope.call(service, operation, input, options),
        callJson: (service, operation, json, options) => scope.callJson(service, operation, json, options),
      },
      {
        accountId,
        region,
        partition,
        clock,
        signal,
        principal: step.principal,
        endpoint: step.endpoint,
        token: step.token,
        names: { words: [], random: step.random },
        nameRules: provider.facts.name,
        created,
      },
    );
  }

  private async run(token: string): Promise<void> {
    const request = this.requests.find(token);
    if (!request || hasEnded(request) || this.closed) return;
    const abort = new AbortController();
    this.aborts.set(token, abort);
    try {
      const identifier = await this.carryOut(request, abort.signal);
      this.end(token, { status: 'SUCCESS', identifier });
    } catch (error) {
      if (!(error instanceof AwsError) && !abort.signal.aborted)
        this.scope.log.error('a Cloud Control request failed', { error });
      const [errorCode, message] =
        error instanceof AwsError
          ? [handlerErrorCode(error.code), error.message]
          : ['InternalFailure', 'Internal Failure'];
      this.end(token, { status: 'FAILED', errorCode, message });
    } finally {
      this.aborts.delete(token);
    }
  }

  /** Stores the result of a request unless it was cancelled or the state has ended. */
  private end(token: string, change: Parameters<Requests['update']>[1]): void {
    const request = this.requests.find(token);
    if (!this.closed && request && !hasEnded(request)) this.requests.update(token, change);
  }

  /** Invokes the hooks of the account. @throws AwsError if a hook fails the request */
  private async askHooks(
    { token, typeName, operation, principal }: Request,
    model: Pick<HookQuestion, 'properties' | 'previous'>,
    signal: AbortSignal,
  ): Promise<void> {
    const hooks = await this.scope.service.capability(resourceHooks);
    const { accountId, region } = this.scope;
    const reported = new Map<string, HookProgress>();
    const problem = await hooks?.ask(
      { accountId, region, typeName, action: operation, targetId: token, ...model, principal, signal },
      (progress) => {
        const { typeArn } = progress;
        reported.set(typeArn, { ...progress, at: reported.get(typeArn)?.at ?? progress.at });
        if (!this.closed) this.requests.update(token, { hooks: [...reported.values()] });
      },
    );
    if (problem !== undefined) throw new AwsError('GeneralServiceException', problem);
  }

  /** @returns the identifier of the resource */
  private async carryOut(request: Request, signal: AbortSignal): Promise<string> {
    const { token, typeName, operation, desired = {} } = request;
    const providers = await this.scope.service.capability(resourceProviders);
    const provider = await providers?.provider(typeName);
    if (!provider) throw new Error(`${typeName} no longer has a provider`);
    const note = (identifier: string) => {
      if (!this.closed && !signal.aborted) this.requests.update(token, { identifier });
    };
    const ctx = this.context(request as Step, provider, signal, note);
    const properties = desired as Record<string, unknown>;
    if (operation === 'CREATE') {
      await this.askHooks(request, { properties }, signal);
      const made = await provider.create(properties, ctx);
      if (!this.closed && !(await provider.read(made.identifier, ctx)))
        this.applied.put(typeName, made.identifier, properties);
      return made.identifier;
    }
    const identifier = request.identifier!;
    const applied = this.applied.of(typeName, identifier);
    const current = await provider.read(identifier, ctx, applied);
    if (!current)
      throw new AwsError('NotFound', `Resource of type '${typeName}' with identifier '${identifier}' was not found.`);
    const { properties: previous } = current;
    if (operation === 'DELETE') {
      await this.askHooks(request, { properties: previous }, signal);
      await provider.delete(identifier, applied ?? previous, ctx);
      if (!this.closed) this.applied.discard(typeName, identifier);
    } else {
      await this.askHooks(request, { properties, previous }, signal);
      await provider.update!(identifier, previous, properties, ctx);
      if (applied && !this.closed) this.applied.put(typeName, identifier, properties);
    }
    return identifier;
  }
}
