import { createHash } from 'node:crypto';
import type { Architecture, Runtime } from '@emu/service-types/lambda';
import { invalidParameterValue } from '../errors.ts';
import { runtimeVersionType } from '../resources.ts';

/** Runtimes for new functions, in the order of AWS's message. */
const SUPPORTED = [
  'nodejs20.x',
  'python3.14',
  'provided.al2023',
  'python3.12',
  'python3.13',
  'nodejs24.x',
  'nodejs22.x',
  'java25',
  'python3.10',
  'python3.11',
  'java21',
  'ruby3.3',
  'ruby3.4',
  'ruby3.2',
  'python3.8',
  'python3.9',
  'java17',
  'nodejs16.x',
  'dotnet10',
  'dotnet8',
  'java11',
  'dotnet6',
  'nodejs18.x',
  'provided.al2',
  'java8.al2',
] as const;

/** Newer runtimes, missing in AWS's message. */
const NEWER: readonly string[] = ['ruby4.0'];

const SNAP_START: readonly string[] = [
  'java11',
  'java17',
  'java21',
  'java25',
  'python3.12',
  'python3.13',
  'python3.14',
  'dotnet8',
  'dotnet10',
];

/** AWS's list of runtimes in messages. */
export const RUNTIME_LIST = `[${SUPPORTED.join(', ')}]`;

/**
 * Rejects a retired runtime.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkRuntime(runtime: Runtime): void {
  if ((SUPPORTED as readonly string[]).includes(runtime) || NEWER.includes(runtime)) return;
  throw invalidParameterValue(
    `The runtime parameter of ${runtime} is no longer supported for creating or updating AWS Lambda functions. We recommend you use a supported runtime while creating or updating functions.`,
  );
}

/**
 * Rejects SnapStart for runtimes without support. Container images of all runtimes support it.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkSnapStart(runtime: Runtime | undefined): void {
  if (runtime === undefined || !SNAP_START.includes(runtime))
    throw invalidParameterValue(`${runtime} is not supported for SnapStart enabled functions.`);
}

/** Returns the ARN of the runtime version; a constant per runtime and architecture. */
export function runtimeVersionArn(region: string, runtime: Runtime, architecture: Architecture): string {
  const id = createHash('sha256').update(`${runtime}/${architecture}`).digest('hex');
  return runtimeVersionType.arn({ id }, { accountId: '', region });
}

/** All runtimes that layers can name, in AWS's order, including retired and AWS-internal ones. */
export const LISTABLE_RUNTIMES = `[${[
  'ruby3.5 ruby2.6 dotnetcore1.0 python3.7 nodejs8.10 nasa ruby2.7 python2.7-greengrass dotnetcore2.0',
  'python3.8 java21 dotnet6 dotnetcore2.1 python3.9 java11 nodejs6.10 provided dotnetcore3.1 dotnet8 java25',
  'java17 nodejs nodejs4.3 java8.al2 go1.x dotnet10 nodejs20.x go1.9 byol nodejs10.x provided.al2023',
  'nodejs22.x python3.10 java8 nodejs12.x python3.11 nodejs24.x nodejs8.x python3.12 nodejs14.x nodejs8.9',
  'nodejs26.x python3.13 python3.14 nodejs16.x python3.15 provided.al2 nodejs4.3-edge nodejs18.x ruby3.2',
  'python3.4 ruby3.3 ruby3.4 ruby2.5 python3.6 python2.7',
]
  .join(' ')
  .replaceAll(' ', ', ')}]`;
