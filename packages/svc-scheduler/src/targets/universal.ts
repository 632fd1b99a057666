import { formatArn } from '@emu/core';
import { fromSdkNames } from '@emu/core/sdk-names';
import type { ServiceModel } from '@emu/wire';

/** An operation that a universal target calls. */
export interface UniversalTarget {
  /** As the SDKs name the service, e.g. `sfn`. */
  readonly sdk: string;
  /** As the ARN has it, e.g. `startExecution`. */
  readonly action: string;
}

/** Actions that only read begin with these, and are refused. */
const READ_ONLY = [
  'get describe list poll receive search scan query select read lookup discover validate batchGet batchDescribe',
  'batchRead transactGet adminGet adminList testMigration retrieve testConnection translateDocument isAuthorized',
  'invokeModel',
].flatMap((line) => line.split(' '));

/**
 * The operation that the ARN of a universal target names; undefined where it is none.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-universal.html
 */
export function parseUniversal(arn: string): UniversalTarget | undefined {
  const match = /^arn:aws(?:-[a-z]+)*:scheduler:::aws-sdk:([a-z0-9-]+):([A-Za-z0-9]+)$/.exec(arn);
  return match ? { sdk: match[1]!, action: match[2]! } : undefined;
}

/** ARN by which an operation is a universal target, and by which dead letters name it. */
export const universalArn = (homeRegion: string, { sdk, action }: UniversalTarget): string =>
  formatArn({ service: 'scheduler', region: '', accountId: '', resource: `aws-sdk:${sdk}:${action}` }, homeRegion);

/** Whether an action only reads. */
export const isReadOnly = (action: string): boolean => READ_ONLY.some((prefix) => action.startsWith(prefix));

/** AWS's name of an operation. */
export const operationOf = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

/**
 * The parameters of an operation as its service spells and encodes them.
 * @param model of the service; undefined where emu does not have it
 */
export function parametersFor(
  model: ServiceModel | undefined,
  service: string,
  operation: string,
  input: unknown,
): unknown {
  const named = model ? fromSdkNames(model, operation, input) : input;
  return service === 'lambda' && operation === 'Invoke' ? withPayload(named) : named;
}

/** A function's payload is written as it is, not in base64. */
function withPayload(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('Payload' in input)) return input;
  const { Payload } = input;
  const text = typeof Payload === 'string' ? Payload : JSON.stringify(Payload);
  return { ...input, Payload: Buffer.from(text).toString('base64') };
}
