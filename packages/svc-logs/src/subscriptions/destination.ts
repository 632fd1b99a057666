import { asService, type CallOptions, parseArn, roleSessionPrincipal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { logsError } from '../errors.ts';
import type { LogsRegistry } from '../registry.ts';
import { destinationType } from '../resources.ts';

/** A record to deliver: a gzipped document. */
export interface Delivery {
  readonly data: Uint8Array;
  /** Partition key for Kinesis. */
  readonly partitionKey: string;
  /** ARN of the log group, for conditions in function policies. */
  readonly sourceArn: string;
  /** Cause of its first event, if known. */
  readonly cause?: string | undefined;
}

/** Destination of a subscription. */
export interface Target {
  readonly destinationArn: string;
  /** Role for writing to streams. */
  readonly roleArn?: string | undefined;
}

/** Returns the principal that invokes functions; policies may also use its regional name. */
const functionCallers = ({ accountId, region }: LogsRegistry, sourceArn: string): [CallOptions, CallOptions] => [
  asService('logs', accountId, sourceArn),
  asService(`logs.${region}`, accountId, sourceArn),
];

/** Invocation of a function. */
export interface Invocation {
  /** ARN of the log group, for conditions in function policies. */
  readonly sourceArn: string;
  readonly Payload?: Uint8Array;
  /** See `Delivery.cause`. */
  readonly cause?: string | undefined;
  /** Whether to check only the permission. */
  readonly dryRun?: boolean;
}

/**
 * Invokes a function asynchronously.
 * @throws AwsError Lambda's error
 */
export async function invoke(
  state: LogsRegistry,
  FunctionName: string,
  { sourceArn, Payload, cause, dryRun = false }: Invocation,
): Promise<void> {
  const input = { FunctionName, InvocationType: 'Event', ...(Payload && { Payload }) } as const;
  const place = placeOf(state, FunctionName);
  const [caller, regional] = functionCallers(state, sourceArn);
  const call = ({ authorize, ...options }: CallOptions): Promise<unknown> =>
    state.call('lambda', 'Invoke', input, { ...options, ...place, cause, authorize: { ...authorize, dryRun } });
  try {
    await call(caller);
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'AccessDeniedException') throw error;
    await call(regional);
  }
}

/** Returns account and region of an ARN, by default the state's. */
function placeOf(state: LogsRegistry, arn: string): { accountId: string; region: string } {
  const parsed = parseArn(arn);
  return { accountId: parsed?.accountId || state.accountId, region: parsed?.region || state.region };
}

const afterSlash = (resource: string): string => resource.slice(resource.lastIndexOf('/') + 1);

/**
 * Delivers a record once.
 * @throws AwsError the destination's error; `ResourceNotFoundException` for a missing destination; `NotImplemented` for
 * unsupported services
 */
export async function deliver(state: LogsRegistry, target: Target, delivery: Delivery): Promise<void> {
  const { destinationArn, roleArn } = target;
  const arn = parseArn(destinationArn);
  const { data, partitionKey, sourceArn, cause } = delivery;
  const place = placeOf(state, destinationArn);
  const asRole = (): CallOptions => ({
    ...place,
    cause,
    ...(roleArn !== undefined && { principal: roleSessionPrincipal(roleArn, 'CloudWatchLogs'), authorize: {} }),
  });
  switch (arn?.service) {
    case 'lambda': {
      const Payload = Buffer.from(JSON.stringify({ awslogs: { data: Buffer.from(data).toString('base64') } }));
      await invoke(state, destinationArn, { sourceArn, Payload, cause });
      return;
    }
    case 'kinesis': {
      const record = { StreamARN: destinationArn, Data: data, PartitionKey: partitionKey };
      await state.call('kinesis', 'PutRecord', record, asRole());
      return;
    }
    case 'firehose': {
      const record = { DeliveryStreamName: afterSlash(arn.resource), Record: { Data: data } };
      await state.call('firehose', 'PutRecord', record, asRole());
      return;
    }
    default: {
      const address = destinationType.parse(destinationArn);
      if (!address) throw logsError('NotImplemented', `emu does not deliver to ${destinationArn}.`, { status: 501 });
      const owner = state.service.existingState(place.accountId, place.region);
      const destination = owner?.destinations.get(address.key.name);
      if (!owner || !destination)
        throw logsError('ResourceNotFoundException', 'The specified destination does not exist.');
      await deliver(owner, { destinationArn: destination.targetArn, roleArn: destination.roleArn }, delivery);
    }
  }
}
