import { fromSdkNames, withIdempotencyTokens } from '@emu/core/sdk-names';
import { formatArn, type StateScope } from '@emu/core/service';
import { type ServiceModel, textOf } from '@emu/wire';

/** Operation that a universal target calls. */
export interface UniversalTarget {
  /** Service name as in the SDKs, e.g. `sfn`. */
  readonly sdk: string;
  /** Operation name as in the ARN, e.g. `startExecution`. */
  readonly action: string;
}

/** Name prefixes of read-only actions, which are rejected. */
const READ_ONLY = [
  'get describe list poll receive search scan query select read lookup discover validate batchGet batchDescribe',
  'batchRead transactGet adminGet adminList testMigration retrieve testConnection translateDocument isAuthorized',
  'invokeModel',
].flatMap((line) => line.split(' '));

/**
 * Returns the operation in the ARN of a universal target; undefined for other ARNs.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-universal.html
 */
export function parseUniversal(arn: string): UniversalTarget | undefined {
  const match = /^arn:aws(?:-[a-z]+)*:scheduler:::aws-sdk:([a-z0-9-]+):([A-Za-z0-9]+)$/.exec(arn);
  return match ? { sdk: match[1]!, action: match[2]! } : undefined;
}

/** Returns the ARN of a universal target for an operation, as used in dead letters. */
export const universalArn = (homeRegion: string, { sdk, action }: UniversalTarget): string =>
  formatArn({ service: 'scheduler', region: '', accountId: '', resource: `aws-sdk:${sdk}:${action}` }, homeRegion);

/** Whether an action is read-only. */
export const isReadOnly = (action: string): boolean => READ_ONLY.some((prefix) => action.startsWith(prefix));

/** Returns AWS's name of an operation. */
export const operationOf = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

/**
 * Returns the parameters of an operation in the spelling and encoding of its service, with idempotency tokens.
 * @param model of the service; undefined for a service that emu lacks
 */
export function parametersFor(
  model: ServiceModel | undefined,
  service: string,
  operation: string,
  input: unknown,
  ids: StateScope['ids'],
): unknown {
  const named = model
    ? withIdempotencyTokens(model, operation, fromSdkNames(model, operation, input), () => ids.uuid())
    : input;
  return service === 'lambda' && operation === 'Invoke' ? withPayload(named) : named;
}

/** Encodes a function's payload, which users write as plain text instead of base64. */
function withPayload(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('Payload' in input)) return input;
  const { Payload } = input;
  const text = textOf(Payload);
  return { ...input, Payload: Buffer.from(text).toString('base64') };
}
