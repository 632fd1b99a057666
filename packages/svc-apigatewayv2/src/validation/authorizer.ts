import type { CreateAuthorizerRequest, ProtocolType } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';
import { functionOf } from '../runtime/function-uri.ts';
import { checkLength } from './api.ts';

/** Settings of an authorizer in a request. */
export type AuthorizerSettings = Omit<CreateAuthorizerRequest, 'ApiId'>;

const HTTP_SOURCE = /^\$(?:request\.(?:header|querystring)\.[\w!#$%&'*+.^`|~-]+|context\.[\w.]+|stageVariables\.\w+)$/;
const WEBSOCKET_SOURCE =
  /^(?:route\.request\.(?:header|querystring)\.[\w!#$%&'*+.^`|~-]+|context\.[\w.]+|stageVariables\.\w+)$/;
const ISSUER = /^https?:\/\/[^\s]+$/;
const MAX_TTL = 3600;

/**
 * Validates a new or changed authorizer.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-authorizers.html
 */
export function checkAuthorizer(protocol: ProtocolType, settings: AuthorizerSettings): void {
  checkLength('Name', settings.Name, { least: 1, most: 128 });
  if (settings.IdentityValidationExpression !== undefined)
    throw badRequest('IdentityValidationExpression is not supported');
  const source = protocol === 'HTTP' ? HTTP_SOURCE : WEBSOCKET_SOURCE;
  for (const one of settings.IdentitySource)
    if (!source.test(one))
      throw badRequest(
        `Invalid mapping expression specified: Validation Result: warnings : [], errors : [Invalid mapping expression specified: ${one}]`,
      );
  if (settings.AuthorizerType === 'JWT') checkJwt(protocol, settings);
  else checkFunction(protocol, settings);
}

function checkJwt(protocol: ProtocolType, settings: AuthorizerSettings): void {
  if (protocol !== 'HTTP') throw badRequest('JWT authorizers are supported only for HTTP APIs');
  const { JwtConfiguration, IdentitySource } = settings;
  if (IdentitySource.length !== 1) throw badRequest('A JWT authorizer must have one IdentitySource');
  const { Issuer, Audience } = JwtConfiguration ?? {};
  if (Issuer === undefined || !ISSUER.test(Issuer))
    throw badRequest('Caught exception when connecting to the issuer. Please try again later. Error: Invalid issuer');
  if (!Audience?.length) throw badRequest('Audience list must have at least 1 item for JWT Authorizer');
  for (const member of [
    'AuthorizerUri',
    'AuthorizerCredentialsArn',
    'AuthorizerPayloadFormatVersion',
    'AuthorizerResultTtlInSeconds',
    'EnableSimpleResponses',
  ] as const)
    if (settings[member] !== undefined && settings[member] !== false)
      throw badRequest(`${member} is supported only for REQUEST authorizers`);
}

function checkFunction(protocol: ProtocolType, settings: AuthorizerSettings): void {
  const { AuthorizerUri, AuthorizerPayloadFormatVersion: version, AuthorizerResultTtlInSeconds: ttl } = settings;
  if (settings.JwtConfiguration) throw badRequest('JwtConfiguration is supported only for JWT authorizers');
  if (AuthorizerUri === undefined || functionOf(AuthorizerUri) === undefined || !AuthorizerUri.includes(':apigateway:'))
    throw badRequest(
      'AuthorizerUri must be the URI of a Lambda function: arn:<partition>:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations',
    );
  if (ttl !== undefined && (ttl < 0 || ttl > MAX_TTL))
    throw badRequest(`AuthorizerResultTtlInSeconds must be between 0 and ${MAX_TTL}`);
  if (protocol === 'WEBSOCKET') {
    for (const member of [
      'AuthorizerPayloadFormatVersion',
      'AuthorizerResultTtlInSeconds',
      'EnableSimpleResponses',
    ] as const)
      if (settings[member] !== undefined && settings[member] !== false && settings[member] !== 0)
        throw badRequest(`${member} is supported only for HTTP APIs`);
    return;
  }
  if (version === undefined)
    throw badRequest('AuthorizerPayloadFormatVersion is a required parameter for REQUEST authorizers');
  if (version !== '1.0' && version !== '2.0')
    throw badRequest(`Invalid AuthorizerPayloadFormatVersion specified: ${version}`);
  if (settings.EnableSimpleResponses && version !== '2.0')
    throw badRequest('EnableSimpleResponses requires AuthorizerPayloadFormatVersion 2.0');
  if ((ttl ?? 0) > 0 && settings.IdentitySource.length === 0)
    throw badRequest('IdentitySource is required where authorizer results are cached');
}
