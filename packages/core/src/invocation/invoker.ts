import { notImplemented } from '../base/not-implemented.ts';
import { readsOnly } from '../base/reads.ts';
import { allCommitted } from '../persistence/all-committed.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import type { Invocation } from '../services/invocation.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { Parts } from '../services/parts.ts';
import { OperationContextImpl } from './context.ts';
import { withoutEmpty } from './empty-members.ts';
import type { Enforcement } from './enforcement.ts';

type AnyHandler = (input: unknown, ctx: OperationContext) => unknown;

/**
 * Whether an operation must wait before it begins: its service changes records faster than the disk writes them, or the
 * disk fails, and further changes would only accumulate.
 */
const isHeldUp = ({ changed }: LoadedService, { operation }: Invocation): boolean =>
  changed.congested && !readsOnly(operation);

/** Returns the handler of an operation for other services, which is not in the model. */
function internalHandler({ internal }: AnyServicePlugin, { operation, http }: Invocation): AnyHandler | undefined {
  if (!internal || http !== undefined || !Object.hasOwn(internal, operation)) return undefined;
  return internal[operation] as AnyHandler;
}

/** Whether an unsigned request needs a permission, even if policies are not enforced. */
const needsPermission = ({ plugin }: LoadedService, { principal }: Invocation): boolean =>
  principal.type === 'anonymous' && plugin.authorization?.anonymous === true;

/** Runs operations of requests and of calls between services. */
export class Invoker {
  private enforcement: Enforcement | undefined;

  constructor(private readonly parts: Parts) {}

  /**
   * Runs an operation through its steps: removal of empty members, validation, rates, the service's `prepare`,
   * permissions, quotas of number, and the handler.
   * @returns the output, or a promise of it
   * @throws AwsError for an error of the caller; any other error is a defect of the handler
   */
  invoke(invocation: Invocation): unknown {
    const { registry, turnover } = this.parts;
    const service = registry.loadedService(invocation.service);
    if (!service || turnover.ended() || isHeldUp(service, invocation)) return this.invokeLater(invocation);
    return this.run(service, invocation);
  }

  /**
   * Returns the promise that the response to an operation waits for: everything that it and its calls changed, or may
   * have read, is on disk.
   * @returns undefined if nothing is pending; a promise that rejects if the changes cannot be written, unless the
   * operation only reads
   */
  settled({ changes, operation }: Invocation): Promise<void> | undefined {
    const writing = changes && allCommitted(changes);
    if (!writing) return undefined;
    const numbering = this.parts.ownState.settled();
    const settled = numbering ? Promise.all([writing, numbering]).then(() => undefined) : writing;
    // The operation that made the changes receives the error.
    return readsOnly(operation) ? settled.catch(() => undefined) : settled;
  }

  private async invokeLater(invocation: Invocation): Promise<unknown> {
    const { registry, turnover } = this.parts;
    await turnover.ended();
    const service = await registry.service(invocation.service);
    if (isHeldUp(service, invocation)) await service.changed.committed();
    return this.run(service, invocation);
  }

  /** Runs an operation without promises if possible: each would delay every request. */
  private run(service: LoadedService, invocation: Invocation): unknown {
    const { environment, quotas } = this.parts;
    const { plugin } = service;
    const { operation } = invocation;
    if (environment.persistent) {
      invocation.changes ??= new Set();
      invocation.changes.add(service.changed);
    }
    const operations = plugin.operations as Record<string, AnyHandler>;
    const modelled = Object.hasOwn(operations, operation);
    const handler = modelled ? operations[operation] : internalHandler(plugin, invocation);
    if (!handler) throw notImplemented(invocation.service, operation);
    const ignored = modelled && plugin.ignoredIfEmpty?.[operation as never];
    if (ignored) invocation.input = withoutEmpty(invocation.input, ignored);
    const { input } = invocation;
    const failures = modelled ? service.codec.validate(operation, input) : [];
    if (failures.length) service.reject(operation, failures);
    const dryRun = typeof invocation.authorize === 'object' && invocation.authorize.dryRun;
    if (quotas.active && !dryRun) quotas.throttle(invocation);
    const ctx = new OperationContextImpl(this.parts, service, invocation);
    const prepared = plugin.prepare?.(operation, input, ctx as never);
    if (dryRun) return Promise.resolve(prepared).then(() => this.authorize(service, invocation, ctx));
    if (prepared)
      return prepared
        .then(() => this.authorize(service, invocation, ctx))
        .then(() => this.handle(handler, invocation, ctx));
    const authorized = this.authorize(service, invocation, ctx);
    if (authorized) return authorized.then(() => this.handle(handler, invocation, ctx));
    return this.handle(handler, invocation, ctx);
  }

  private handle(handler: AnyHandler, invocation: Invocation, ctx: OperationContextImpl): unknown {
    const { quotas } = this.parts;
    if (quotas.active) quotas.check(invocation);
    return handler(invocation.input, ctx);
  }

  /** Evaluates policies if they are enforced. @throws AwsError if they do not allow the operation */
  private authorize(
    service: LoadedService,
    invocation: Invocation,
    ctx: OperationContextImpl,
  ): Promise<void> | undefined {
    if (invocation.authorize === undefined) return undefined;
    if (!(this.parts.environment.enforces || needsPermission(service, invocation))) return undefined;
    if (this.enforcement) return this.enforcement.check(service, invocation, ctx);
    return this.openEnforcement().then((enforcement) => enforcement.check(service, invocation, ctx));
  }

  /** Loads the evaluation of policies only if they are enforced. */
  private async openEnforcement(): Promise<Enforcement> {
    const { Enforcement } = await import('./enforcement.ts');
    this.enforcement = await Enforcement.open(this.parts);
    return this.enforcement;
  }
}
