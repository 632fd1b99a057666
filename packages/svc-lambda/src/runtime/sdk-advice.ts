import { existsSync } from 'node:fs';
import { isObject, parseJson } from '@emu/wire';
import { type PackageSet, PYTHON_SETS, packagesOf } from '../sdk/runtime-directory.ts';
import { hasSdkV2 } from './environment-variables.ts';
import type { Outcome } from './invocation.ts';
import { SDK_V2 } from './node-sdk.ts';

/** Error types of modules that are missing when the runtime loads the handler, or when the handler runs. */
const TYPES = new Set([
  'Runtime.ImportModuleError',
  'Error',
  'ModuleNotFoundError',
  'Init<LoadError>',
  'Function<LoadError>',
]);

/** Messages of Node.js, Python and Ruby about missing modules. */
const NODE_MESSAGE = /Cannot find (?:module|package) '((?:@aws-sdk|@smithy)\/[^'/]+|aws-sdk)['/]/;
const PYTHON_MESSAGE = /No module named '(boto3|botocore|s3transfer|jmespath|dateutil|urllib3|six)['.]/;
/** Message of the function of CDK's AwsCustomResource. */
const CDK_MESSAGE = /Package (@aws-sdk\/\S+) does not exist/;
const RUBY_MESSAGE = /cannot load such file -- (aws-sdk(?:-\w+)?)$/;

/**
 * Adds the way to install a missing module to the error of a function, if AWS's runtime includes the module.
 * @param runtime of the function
 * @param directory the runtime directory
 */
export function withSdkAdvice(outcome: Outcome, runtime: string | undefined, directory: string): Outcome {
  if (outcome.streamed || outcome.errorType === undefined || !TYPES.has(outcome.errorType)) return outcome;
  const error = parsed(outcome.payload);
  if (!isObject(error) || typeof error.errorMessage !== 'string') return outcome;
  const advice = sdkAdvice(error.errorMessage, runtime, directory);
  if (advice === undefined) return outcome;
  const payload = Buffer.from(JSON.stringify({ ...error, errorMessage: `${error.errorMessage}\n${advice}` }));
  return { ...outcome, payload, advice };
}

/**
 * Returns how to install the missing module that a message names, if AWS's runtimes include it.
 * @param message of a runtime, or of a function that reports it
 * @param runtime of the function, if known
 * @param directory the runtime directory
 */
export function sdkAdvice(message: string, runtime: string | undefined, directory: string): string | undefined {
  const [, gem] = RUBY_MESSAGE.exec(message) ?? [];
  if (gem !== undefined) return `AWS's runtimes include ${gem}; emu finds it after: gem install ${gem}`;
  const [, ofNode = CDK_MESSAGE.exec(message)?.[1]] = NODE_MESSAGE.exec(message) ?? [];
  const module = ofNode ?? PYTHON_MESSAGE.exec(message)?.[1];
  // Newer runtimes do not include the SDK v2 on AWS either.
  if (module === undefined || (module === SDK_V2 && !hasSdkV2(runtime))) return undefined;
  const name = ofNode === undefined ? 'python' : module === SDK_V2 ? '--sdk-v2' : 'nodejs';
  const sets: readonly PackageSet[] =
    name === 'python' ? PYTHON_SETS : [name === 'nodejs' ? 'nodejs' : 'nodejs-sdk-v2'];
  if (sets.some((set) => existsSync(packagesOf(directory, set))))
    return `AWS's runtimes include ${module}, but emu's runtime directory does not: add it to the function's package.`;
  return `AWS's runtimes include ${module}; emu finds it after: emu runtime install ${name}`;
}

function parsed(payload: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
}
