import type { Ids } from '@emu/core';
import { AwsError } from '@emu/wire';

/** Parts of error codes, by the code that a resource handler answers instead. */
const HANDLER_CODES: readonly (readonly [RegExp, string])[] = [
  [
    /AlreadyExists|EntityAlreadyExists|ResourceConflict|AlreadyOwned|ResourceExists|ResourceInUse|NameExists|NameExistsException/i,
    'AlreadyExists',
  ],
  [/NotFound|NoSuch|DoesNotExist|NonExistent/i, 'NotFound'],
  [/AccessDenied|Unauthorized|Forbidden|NotAuthorized/i, 'AccessDenied'],
  [/LimitExceeded|QuotaExceeded|TooMany/i, 'ServiceLimitExceeded'],
  [/Throttl|SlowDown|RequestLimit/i, 'Throttling'],
  [/Validation|Invalid|Malformed|Missing|BadRequest|IllegalArgument/i, 'InvalidRequest'],
  [/NotStabilized/, 'NotStabilized'],
  [/InternalFailure|ServiceUnavailable|InternalError/, 'ServiceInternalError'],
];

/** Names of services as AWS's Java SDK writes them, by type names. */
const SERVICE_NAMES: Readonly<Record<string, string>> = {
  SQS: 'Sqs',
  SNS: 'Sns',
  IAM: 'Iam',
  KMS: 'Kms',
  SSM: 'Ssm',
  DynamoDB: 'DynamoDb',
  StepFunctions: 'Sfn',
  Events: 'EventBridge',
  Logs: 'CloudWatchLogs',
};

/** The handler error code of AWS's extensions that an error stands for. */
const handlerErrorCode = (code: string): string =>
  HANDLER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'GeneralServiceException';

/**
 * What a stack event says of a failed step.
 * @param typeName of the resource, e.g. `AWS::SQS::Queue`
 */
export function failureReason(error: unknown, typeName: string, ids: Ids): string {
  if (!(error instanceof AwsError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'NotImplemented') return error.message;
  const name = typeName.split('::')[1] ?? '';
  const service = SERVICE_NAMES[name] ?? name;
  const status = error.status ?? 400;
  const message = `${error.message} (Service: ${service}, Status Code: ${status}, Request ID: ${ids.uuid()})`;
  return `Resource handler returned message: "${message}" (RequestToken: ${ids.uuid()}, HandlerErrorCode: ${handlerErrorCode(error.code)})`;
}
