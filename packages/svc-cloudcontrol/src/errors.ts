import type { CloudcontrolErrorName } from '@emu/service-types/cloudcontrol';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
const cloudcontrolError: ErrorsOf<CloudcontrolErrorName | 'ValidationException'> = awsError;

/** Creates the error for an input that is invalid, by itself or in the request's state. */
export const invalid = (message: string): AwsError => cloudcontrolError('ValidationException', message);

/** Creates the error for an unknown type or version. */
export const typeNotFound = (typeName: string): AwsError =>
  cloudcontrolError('TypeNotFoundException', `The type '${typeName}' cannot be found.`);

/** Creates the error for an action that the type does not support. */
export const unsupported = (typeName: string, action: string): AwsError =>
  cloudcontrolError('UnsupportedActionException', `Resource type ${typeName} does not support ${action} action`);

/** Creates the error for an unknown resource. */
export const resourceNotFound = (typeName: string, requestToken: string): AwsError =>
  cloudcontrolError(
    'ResourceNotFoundException',
    `${typeName} Handler returned status FAILED: Resource not found (HandlerErrorCode: NotFound, RequestToken: ${requestToken})`,
  );

/** Creates the error for an unknown or evicted request. */
export const tokenNotFound = (token: string): AwsError =>
  cloudcontrolError('RequestTokenNotFoundException', `Request with token ${token} was not found`);

/** Creates the error for a client token of another request. */
export const tokenConflict = (clientToken: string, requestToken: string): AwsError =>
  cloudcontrolError(
    'ClientTokenConflictException',
    `ClientToken ${clientToken} is already associated with an existing operation with RequestToken ${requestToken}`,
  );

/** Creates the error for a patch of properties that cannot change. @param kind e.g. `createOnlyProperties` */
export const notUpdatable = (kind: string, properties: readonly string[]): AwsError =>
  cloudcontrolError(
    'NotUpdatableException',
    `Invalid patch update: ${kind} [${properties.map((name) => `/properties/${name}`).join(', ')}] cannot be updated`,
  );

/**
 * Creates the error for a list of child resources without their parent.
 * @see https://github.com/awslabs/mcp/issues/403
 */
export const missingInModel = (typeName: string, names: readonly string[]): AwsError =>
  cloudcontrolError(
    'InvalidRequestException',
    `Missing or invalid ResourceModel property in ${typeName} list handler request input.Required property: (${names
      .map((name) => `#: required key [${name}] not found`)
      .join(', ')})`,
  );

/** Creates the error for a resource that another request is changing. */
export const concurrentOperation = (token: string): AwsError =>
  cloudcontrolError(
    'ConcurrentOperationException',
    `The resource is being changed by another operation with RequestToken ${token}`,
  );

/** Parts of service error codes, by the handler error code to which they correspond. */
const HANDLER_CODES: readonly (readonly [RegExp, string])[] = [
  [/AlreadyExists|ResourceConflict|AlreadyOwned|ResourceExists|ResourceInUse|NameExists/i, 'AlreadyExists'],
  [/NotFound|NoSuch|DoesNotExist|NonExistent/i, 'NotFound'],
  [/AccessDenied|Unauthorized|Forbidden|NotAuthorized/i, 'AccessDenied'],
  [/LimitExceeded|QuotaExceeded|TooMany/i, 'ServiceLimitExceeded'],
  [/Throttl|SlowDown|RequestLimit/i, 'Throttling'],
  [/Validation|Invalid|Malformed|Missing|BadRequest|IllegalArgument/i, 'InvalidRequest'],
  [/NotStabilized/, 'NotStabilized'],
  [/InternalFailure|ServiceUnavailable|InternalError/, 'ServiceInternalError'],
];

/**
 * Returns the handler error code for an error of a service.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
 */
export const handlerErrorCode = (code: string): string =>
  HANDLER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'GeneralServiceException';
