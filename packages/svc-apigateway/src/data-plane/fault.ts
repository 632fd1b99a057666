import type { GatewayResponseType } from '@emu/service-types/apigateway';

/** What API Gateway itself answers instead of the integration: one of its gateway responses. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';

  /**
   * @param type of the gateway response
   * @param told what its template has as `$context.error.message`; null where AWS tells nothing
   * @param errorType value of the header `x-amzn-ErrorType`
   * @param details what else went into it
   */
  constructor(
    readonly type: GatewayResponseType,
    readonly told: string | null,
    readonly errorType: string,
    readonly details: {
      /** For the execution log. */
      readonly log?: string;
      /** Status instead of that of the type. */
      readonly status?: number;
      /** `$context.error.validationErrorString`. */
      readonly validation?: string;
    } = {},
  ) {
    super(told ?? type);
  }
}

/** The integration is not as it has to be. @param log for the execution log */
export const configurationFault = (log: string): GatewayFault =>
  new GatewayFault('API_CONFIGURATION_ERROR', 'Internal server error', 'InternalServerErrorException', {
    log: `Execution failed due to configuration error: ${log}`,
  });

/** The authorizer cannot be asked, or answers what is no answer. @param log for the execution log */
export const authorizerFault = (log: string): GatewayFault =>
  new GatewayFault('AUTHORIZER_CONFIGURATION_ERROR', null, 'AuthorizerConfigurationException', {
    log: `Execution failed due to configuration error: ${log}`,
  });

/** A function behind a proxy integration failed, or answered what is no answer. @param log for the execution log */
export const malformedAnswer = (log: string): GatewayFault =>
  new GatewayFault('DEFAULT_5XX', 'Internal server error', 'InternalServerErrorException', { log, status: 502 });

/** No method takes the request, or nobody signed it. */
export const missingToken = (): GatewayFault =>
  new GatewayFault(
    'MISSING_AUTHENTICATION_TOKEN',
    'Missing Authentication Token',
    'MissingAuthenticationTokenException',
  );

const ACCOUNT_OF_METHOD = /(:execute-api:[^:]*:)\d{8}(\d{4}:)/;

/** The caller may not call the method. @param message AWS's words, in which the account of the method is masked */
export const accessDenied = (message: string): GatewayFault =>
  new GatewayFault('ACCESS_DENIED', message.replace(ACCOUNT_OF_METHOD, '$1********$2'), 'AccessDeniedException');

/** The caller says nothing that says who they are. */
export const unauthorized = (message = 'Unauthorized'): GatewayFault =>
  new GatewayFault('UNAUTHORIZED', message, 'UnauthorizedException');
