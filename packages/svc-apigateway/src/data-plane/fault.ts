import type { GatewayResponseType } from '@emu/service-types/apigateway';
import type { AwsError } from '@emu/wire';

/** Error of API Gateway itself, answered with one of its gateway responses. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';

  /**
   * @param type of the gateway response
   * @param contextMessage `$context.error.message` in its template; null if AWS has no message
   * @param errorType value of the header `x-amzn-ErrorType`
   * @param details further members
   */
  constructor(
    readonly type: GatewayResponseType,
    readonly contextMessage: string | null,
    readonly errorType: string,
    readonly details: {
      /** Text for the execution log. */
      readonly log?: string;
      /** Status that overrides the type's. */
      readonly status?: number;
      /** `$context.error.validationErrorString`. */
      readonly validation?: string;
    } = {},
  ) {
    super(contextMessage ?? type);
  }
}

/**
 * Error for an invalid integration.
 * @param log for the execution log
 */
export const configurationFault = (log: string): GatewayFault =>
  new GatewayFault('API_CONFIGURATION_ERROR', 'Internal server error', 'InternalServerErrorException', {
    log: `Execution failed due to configuration error: ${log}`,
  });

/**
 * Error for an authorizer that cannot be invoked or returns an invalid response.
 * @param log for the execution log
 */
export const authorizerFault = (log: string): GatewayFault =>
  new GatewayFault('AUTHORIZER_CONFIGURATION_ERROR', null, 'AuthorizerConfigurationException', {
    log: `Execution failed due to configuration error: ${log}`,
  });

/**
 * Error for a proxy function that failed or returned an invalid response.
 * @param log for the execution log
 */
export const malformedAnswer = (log: string): GatewayFault =>
  new GatewayFault('DEFAULT_5XX', 'Internal server error', 'InternalServerErrorException', { log, status: 502 });

/** Error for an unknown method, or an unsigned request. */
export const missingToken = (): GatewayFault =>
  new GatewayFault(
    'MISSING_AUTHENTICATION_TOKEN',
    'Missing Authentication Token',
    'MissingAuthenticationTokenException',
  );

/** Error for a signature that is invalid, or whose access key is unknown or expired. */
export const invalidSignature = ({ code, message }: AwsError): GatewayFault =>
  new GatewayFault(code === 'ExpiredTokenException' ? 'EXPIRED_TOKEN' : 'INVALID_SIGNATURE', message, code);

const ACCOUNT_OF_METHOD = /(:execute-api:[^:]*:)\d{8}(\d{4}:)/;

/**
 * Error for a caller without permission.
 * @param message AWS's message, in which the method's account is masked
 */
export const accessDenied = (message: string): GatewayFault =>
  new GatewayFault('ACCESS_DENIED', message.replace(ACCOUNT_OF_METHOD, '$1********$2'), 'AccessDeniedException');

/** Error for a caller without identity. */
export const unauthorized = (message = 'Unauthorized'): GatewayFault =>
  new GatewayFault('UNAUTHORIZED', message, 'UnauthorizedException');
