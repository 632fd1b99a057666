import type { GatewayResponse, GatewayResponseType } from '@emu/service-types/apigateway';

/**
 * Default statuses of gateway responses.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const STATUSES: Readonly<Record<GatewayResponseType, string | undefined>> = {
  ACCESS_DENIED: '403',
  API_CONFIGURATION_ERROR: '500',
  AUTHORIZER_CONFIGURATION_ERROR: '500',
  AUTHORIZER_FAILURE: '500',
  BAD_REQUEST_BODY: '400',
  BAD_REQUEST_PARAMETERS: '400',
  DEFAULT_4XX: undefined,
  DEFAULT_5XX: undefined,
  EXPIRED_TOKEN: '403',
  INTEGRATION_FAILURE: '504',
  INTEGRATION_TIMEOUT: '504',
  INVALID_API_KEY: '403',
  INVALID_SIGNATURE: '403',
  MISSING_AUTHENTICATION_TOKEN: '403',
  QUOTA_EXCEEDED: '429',
  REQUEST_TOO_LARGE: '413',
  RESOURCE_NOT_FOUND: '404',
  THROTTLED: '429',
  UNAUTHORIZED: '401',
  UNSUPPORTED_MEDIA_TYPE: '415',
  WAF_FILTERED: '403',
};

/** Default template of gateway responses. */
export const DEFAULT_TEMPLATES: Readonly<Record<string, string>> = {
  'application/json': '{"message":$context.error.messageString}',
};

/**
 * Returns the effective gateway response: the configured one, or the default of its class with the status of its type.
 * @param set configured responses by type
 */
export function responseInForce(
  type: GatewayResponseType,
  set: (type: GatewayResponseType) => GatewayResponse | undefined,
): GatewayResponse {
  const own = set(type);
  if (own) return { ...own, defaultResponse: false };
  const status = STATUSES[type];
  const general: GatewayResponseType = status?.startsWith('5') ? 'DEFAULT_5XX' : 'DEFAULT_4XX';
  const inherited = status === undefined ? undefined : set(general);
  return {
    responseType: type,
    ...((inherited?.statusCode ?? status) !== undefined && { statusCode: inherited?.statusCode ?? status }),
    responseParameters: { ...inherited?.responseParameters },
    responseTemplates: { ...(inherited?.responseTemplates ?? DEFAULT_TEMPLATES) },
    defaultResponse: true,
  };
}
