import { createHash } from 'node:crypto';
import { formatArn } from '@emu/core';
import { invalid } from './errors.ts';
import type { Architecture, Runtime } from './generated/lambda.ts';

/** Runtimes that functions can be created with, in the order in which AWS's own message lists them. */
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

/** Newer than AWS's message, which does not list it. */
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

/** AWS's list of runtimes, as its messages print it. */
export const RUNTIME_LIST = `[${SUPPORTED.join(', ')}]`;

/**
 * Refuses a runtime that is not offered any more.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkRuntime(runtime: Runtime): void {
  if ((SUPPORTED as readonly string[]).includes(runtime) || NEWER.includes(runtime)) return;
  throw invalid(
    `The runtime parameter of ${runtime} is no longer supported for creating or updating AWS Lambda functions. We recommend you use a supported runtime while creating or updating functions.`,
  );
}

/**
 * Refuses SnapStart where the runtime does not have it.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkSnapStart(runtime: Runtime | undefined): void {
  if (runtime === undefined || !SNAP_START.includes(runtime))
    throw invalid(`${runtime ?? 'Image'} is not supported for SnapStart enabled functions.`);
}

/** ARN of the version of a runtime that runs functions; one for each runtime and architecture, always the same. */
export function runtimeVersionArn(region: string, runtime: Runtime, architecture: Architecture): string {
  const id = createHash('sha256').update(`${runtime}/${architecture}`).digest('hex');
  return formatArn({ service: 'lambda', region, accountId: '', resource: `runtime:${id}` });
}
