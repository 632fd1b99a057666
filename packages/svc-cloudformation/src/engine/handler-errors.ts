import type { Ids } from '@emu/core/service';
import { AwsError } from '@emu/wire';

/** Patterns of error codes, with the handler error code that each maps to. */
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

/** Service names as AWS's Java SDK spells them, by type name. */
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

/** Maps an error to the handler error code of AWS's extensions. */
const handlerErrorCode = (code: string): string =>
  HANDLER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'GeneralServiceException';

/**
 * Returns the status reason of a failed step, as stack events show it.
 * @param typeName e.g. `AWS::SQS::Queue`
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
