import { type AwsError, awsError } from '@emu/wire';

/** What the input says is wrong, in itself or for the request's state. */
export const invalid = (message: string): AwsError => awsError('ValidationException', message);

/** No such type, or no such version of it. */
export const typeNotFound = (typeName: string): AwsError =>
  awsError('TypeNotFoundException', `The type '${typeName}' cannot be found.`);

/** The type does not have the action. */
export const unsupported = (typeName: string, action: string): AwsError =>
  awsError('UnsupportedActionException', `Resource type ${typeName} does not support ${action} action`);

/** The resource is not there. */
export const resourceNotFound = (typeName: string, requestToken: string): AwsError =>
  awsError(
    'ResourceNotFoundException',
    `${typeName} Handler returned status FAILED: Resource not found (HandlerErrorCode: NotFound, RequestToken: ${requestToken})`,
  );

/** No such request, or one that is forgotten. */
export const tokenNotFound = (token: string): AwsError =>
  awsError('RequestTokenNotFoundException', `Request with token ${token} was not found`);

/** The client token belongs to another request. */
export const tokenConflict = (clientToken: string, requestToken: string): AwsError =>
  awsError(
    'ClientTokenConflictException',
    `ClientToken ${clientToken} is already associated with an existing operation with RequestToken ${requestToken}`,
  );

/** A patch changes what cannot be changed. @param kind e.g. `createOnlyProperties` */
export const notUpdatable = (kind: string, properties: readonly string[]): AwsError =>
  awsError(
    'NotUpdatableException',
    `Invalid patch update: ${kind} [${properties.map((name) => `/properties/${name}`).join(', ')}] cannot be updated`,
  );

/** A list of what belongs to something does not say to what. @see https://github.com/awslabs/mcp/issues/403 */
export const missingInModel = (typeName: string, names: readonly string[]): AwsError =>
  awsError(
    'InvalidRequestException',
    `Missing or invalid ResourceModel property in ${typeName} list handler request input.Required property: (${names
      .map((name) => `#: required key [${name}] not found`)
      .join(', ')})`,
  );

/** Another request changes the resource. */
export const concurrentOperation = (token: string): AwsError =>
  awsError(
    'ConcurrentOperationException',
    `The resource is being changed by another operation with RequestToken ${token}`,
  );

/** Parts of error codes of services, by the code of handlers that they stand for. */
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
 * The code of resource handlers that a service's error stands for.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html
 */
export const handlerErrorCode = (code: string): string =>
  HANDLER_CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'GeneralServiceException';
