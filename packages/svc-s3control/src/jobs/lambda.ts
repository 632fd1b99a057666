import type { StateScope } from '@emu/core/service';
import { parseArn } from '@emu/core/service';
import type { LambdaInvokeOperation } from '@emu/service-types/s3control';
import { parseJson } from '@emu/wire';
import { bucketArn } from '../bucket-arns.ts';
import type { JobCall } from './caller.ts';
import { encodedKey } from './encoding.ts';
import { failure, success, type Task, type TaskResult } from './records.ts';

/** Maximum attempts of a task whose function returns `TemporaryFailure`. */
const ATTEMPTS = 3;

/** Function result for one task. */
interface FunctionResult {
  taskId?: unknown;
  resultCode?: unknown;
  resultString?: unknown;
}

const RESULT_CODES: readonly unknown[] = ['Succeeded', 'TemporaryFailure', 'PermanentFailure'];

/**
 * Invokes a function for a task.
 * @throws AwsError if the function cannot be invoked
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-invoke-lambda.html
 */
export async function invokeFunction(
  operation: LambdaInvokeOperation,
  jobId: string,
  task: Task,
  call: JobCall,
  scope: Pick<StateScope, 'ids' | 'region'>,
): Promise<TaskResult> {
  for (let attempt = 1; ; attempt++) {
    const taskId = Buffer.from(scope.ids.hex(40)).toString('base64');
    const event = eventOf(operation, jobId, taskId, task, scope);
    const { FunctionError: error, Payload: payload = new Uint8Array() } = await call('lambda', 'Invoke', {
      FunctionName: operation.FunctionArn!,
      Payload: Buffer.from(JSON.stringify(event)),
    });
    const text = Buffer.from(payload).toString();
    if (error !== undefined) return failure(200, 'PermanentFailure', `Lambda returned function error: ${text}`);
    const result = resultOf(text, taskId);
    if (result.code !== 'TemporaryFailure' || attempt === ATTEMPTS) return result;
  }
}

function eventOf(
  { InvocationSchemaVersion: version = '1.0', UserArguments: args = {} }: LambdaInvokeOperation,
  jobId: string,
  taskId: string,
  { bucket, key, versionId = null }: { bucket: string; key: string; versionId?: string | null | undefined },
  { ids, region }: Pick<StateScope, 'ids' | 'region'>,
): object {
  const task = { taskId, s3Key: encodedKey(key), s3VersionId: versionId };
  const invocationId = Buffer.from(ids.hex(40)).toString('base64');
  if (version === '2.0')
    return {
      invocationSchemaVersion: version,
      invocationId,
      job: { id: jobId, userArguments: args },
      tasks: [{ ...task, s3Bucket: bucket }],
    };
  const s3BucketArn = parseArn(bucket) ? bucket : bucketArn(bucket, region);
  return {
    invocationSchemaVersion: version,
    invocationId,
    job: { id: jobId },
    tasks: [{ ...task, s3BucketArn }],
  };
}

/** Returns a task's result from a function's response. */
function resultOf(text: string, taskId: string): TaskResult {
  let answer: { results?: unknown; treatMissingKeysAs?: unknown } | null;
  try {
    answer = parseJson(text) as typeof answer;
  } catch {
    answer = null;
  }
  if (answer === null || typeof answer !== 'object' || !Array.isArray(answer.results))
    return failure(200, 'PermanentFailure', `Lambda returned an invalid response: ${text}`);
  const found = (answer.results as (FunctionResult | null)[]).find((result) => result?.taskId === taskId);
  const code = found ? found.resultCode : (answer.treatMissingKeysAs ?? 'TemporaryFailure');
  if (!RESULT_CODES.includes(code))
    return failure(200, 'PermanentFailure', `Lambda returned an invalid result code: ${String(code)}`);
  const message = typeof found?.resultString === 'string' ? found.resultString : '';
  return code === 'Succeeded' ? success(message) : failure(200, String(code), message);
}
