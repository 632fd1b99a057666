import { AwsError, awsError, type ServiceModel, statusOf } from '@emu/wire';
import { notImplemented } from '../base/not-implemented.ts';
import type { OperationInput, OperationName, OperationOutput, ServiceName } from '../calls/calls.ts';
import { rootOf } from '../identity/root.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import type { Environment } from '../services/environment.ts';
import type { Invocation } from '../services/invocation.ts';
import type { InternalCaller, InternalCallOptions } from '../services/loaded-service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import type { Invoker } from './invoker.ts';
import type { Observers } from './observers.ts';

const NEVER_ABORTED = new AbortController().signal;

/** Whether changes of an operation and its calls are waiting to be written. */
function anyDirty({ changes = new Set() }: Invocation): boolean {
  for (const { dirty } of changes) if (dirty) return true;
  return false;
}

/** Returns an error with its status on the wire, which integrations report to their callers. */
function withStatus(model: ServiceModel, error: AwsError): AwsError {
  if (error.status !== undefined) return error;
  const { code, message, members, messageKey, headers } = error;
  return new AwsError(code, message, {
    status: statusOf(model, error),
    cause: error,
    ...(members !== undefined && { members }),
    ...(messageKey !== undefined && { messageKey }),
    ...(headers !== undefined && { headers }),
  });
}

/** Returns the member of an operation's input that is sent as a stream of bytes. */
function streamedMember({ model }: AnyServicePlugin, operation: string): string {
  const shape = model.shapes[model.operations[operation]?.input?.shape ?? ''];
  const name = shape?.payload;
  if (name === undefined || !shape?.members?.[name]?.streaming)
    throw awsError('ValidationException', `${operation} takes no stream of bytes.`);
  return name;
}

/** Calls between services, and calls of the program that embeds the emulator. */
export class ServiceCalls implements InternalCaller {
  constructor(
    private readonly environment: Environment,
    private readonly registry: ServiceRegistry,
    private readonly observers: Observers,
    private readonly invoker: Pick<Invoker, 'invoke' | 'settled'>,
  ) {}

  /**
   * Runs an operation. Inside a running operation, whose response waits for the changes, it resolves with the output;
   * for a service or the embedding program, once the changes are on disk.
   */
  call<Service extends ServiceName, Operation extends OperationName<Service>>(
    service: Service,
    operation: Operation,
    input: OperationInput<Service, Operation>,
    options?: InternalCallOptions,
  ): Promise<OperationOutput<Service, Operation>> {
    return this.dispatch(service, operation, input, options) as Promise<OperationOutput<Service, Operation>>;
  }

  /**
   * Runs an operation like `call`, with an input from JSON; see `ServiceCaller.callJson`.
   * @param bytes value of the streamed member of the input
   * @throws AwsError `NotImplemented` for an unsupported operation; `ValidationException` for bytes without a streamed
   * member
   */
  async callJson(
    service: string,
    operation: string,
    json: unknown,
    options?: InternalCallOptions,
    bytes?: AsyncIterable<Uint8Array>,
  ): Promise<unknown> {
    const loaded = await this.registry.service(service);
    const { codec, plugin } = loaded;
    if (!Object.hasOwn(plugin.operations, operation)) throw notImplemented(service, operation);
    const { input, failures } = codec.inputFromJson(operation, json);
    if (failures.length) loaded.reject(operation, failures);
    if (bytes) (input as Record<string, unknown>)[streamedMember(plugin, operation)] = bytes;
    try {
      return await this.dispatch(service, operation, input, options);
    } catch (error) {
      throw error instanceof AwsError ? withStatus(plugin.model, error) : error;
    }
  }

  private dispatch(
    service: string,
    operation: string,
    input: unknown,
    options: InternalCallOptions = {},
  ): Promise<unknown> {
    const { settings, ids } = this.environment;
    const accountId = options.accountId ?? settings.accountId;
    const region = options.region ?? settings.region;
    const signal = options.signal ?? NEVER_ABORTED;
    const invocation: Invocation = {
      service,
      operation,
      input,
      accountId,
      region,
      principal: options.principal ?? rootOf(accountId, region),
      requestId: options.requestId ?? ids.uuid(),
      cause: options.cause,
      endpoint: options.endpoint ?? this.environment.endpoint,
      changes: options.changes,
      secrets: options.secrets,
      signal: () => signal,
    };
    const { via, changes, authorize, traceHeader, doneAtOnce } = options;
    if (authorize) invocation.authorize = { ...authorize, via: via ?? '' };
    if (traceHeader !== undefined) invocation.traceHeader = traceHeader;
    const independent = changes === undefined;
    if (this.observers.reportsCalls(service))
      return this.observers.call(invocation, via, () => this.complete(invocation, independent, doneAtOnce));
    return this.complete(invocation, independent, doneAtOnce);
  }

  /**
   * @param independent whether no response waits for the call's changes
   * @param doneAtOnce see `InternalCallOptions.doneAtOnce`
   */
  private async complete(invocation: Invocation, independent: boolean, doneAtOnce?: () => void): Promise<unknown> {
    const answered = this.invoker.invoke(invocation);
    if (doneAtOnce && !(answered instanceof Promise) && !anyDirty(invocation)) doneAtOnce();
    const output = await answered;
    const writing = independent ? this.invoker.settled(invocation) : undefined;
    if (writing) await writing;
    return output;
  }
}
