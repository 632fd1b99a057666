import { exceedsBytes } from '@emu/core/service';
import { invalidParameterValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/**
 * Reserved variables that Lambda sets. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
const RESERVED = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_MAX_CONCURRENCY',
  'AWS_LAMBDA_METADATA_API',
  'AWS_LAMBDA_METADATA_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LAMBDA_RUNTIME_DIR',
  'LAMBDA_TASK_ROOT',
]);

/**
 * Validates a function's environment variables.
 * @throws AwsError `InvalidParameterValueException` for reserved names and more than 4 KB
 */
export function checkEnvironment(variables: Readonly<Record<string, string>>): void {
  const reserved = Object.keys(variables).filter((name) => RESERVED.has(name));
  if (reserved.length)
    throw invalidParameterValue(
      `Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ${reserved.join(', ')}`,
    );
  const measured = JSON.stringify(variables);
  if (exceedsBytes(measured, LIMITS.environmentSize))
    throw invalidParameterValue(
      `Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit. String measured: ${measured}`,
    );
}
