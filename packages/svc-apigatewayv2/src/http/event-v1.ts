import { proxyEvent } from '@emu/apigateway-common';
import { percentDecoded } from '@emu/core/service';
import { cognitoMembers } from '../authorizers/cognito.ts';
import { isText } from './event-v2.ts';
import type { HttpExchange } from './exchange.ts';

/** Identity of unsigned requests. */
const UNSIGNED_IDENTITY = {
  accessKey: null,
  accountId: null,
  caller: null,
  cognitoAmr: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

/** Returns the authorizer members of a version 1.0 event. */
function authorizerOf({ authorizer }: HttpExchange): object {
  if (authorizer?.kind === 'jwt') return { authorizer: { claims: authorizer.claims, scopes: authorizer.scopes } };
  if (authorizer?.kind === 'lambda')
    return {
      authorizer: {
        ...authorizer.context,
        ...(authorizer.principalId !== undefined && { principalId: authorizer.principalId }),
      },
    };
  return {};
}

/** Returns the route's path for version 1.0 events. */
export function resourceOf(routeKey: string): string {
  const space = routeKey.indexOf(' ');
  return space < 0 ? routeKey : routeKey.slice(space + 1);
}

/** Returns a function event in payload format 1.0, like that of a REST API, without its version. */
export function requestV1(exchange: HttpExchange): Record<string, unknown> {
  const { stage, state, match, domainName, caller, cognito } = exchange;
  const routeKey = match!.route.RouteKey;
  const path = percentDecoded(exchange.fullPath);
  return proxyEvent({
    resource: resourceOf(routeKey),
    path,
    httpMethod: exchange.method,
    headers: exchange.headers,
    query: exchange.query,
    pathParameters: match!.pathParameters,
    stageVariables: stage.variables,
    requestContext: {
      accountId: state.accountId,
      apiId: stage.api.ApiId,
      ...authorizerOf(exchange),
      domainName,
      domainPrefix: domainName.split('.')[0],
      extendedRequestId: exchange.requestId,
      httpMethod: exchange.method,
      identity: {
        ...UNSIGNED_IDENTITY,
        ...(caller && {
          accessKey: caller.accessKeyId ?? null,
          accountId: caller.accountId,
          caller: caller.userId,
          user: caller.userId,
          userArn: caller.arn,
        }),
        ...(cognito && { cognitoAmr: cognito.amr, ...cognitoMembers(cognito) }),
        ...(exchange.client && { clientCert: exchange.client }),
        sourceIp: exchange.sourceIp,
        userAgent: exchange.userAgent,
      },
      path,
      protocol: 'HTTP/1.1',
      requestId: exchange.requestId,
      requestTime: exchange.time,
      requestTimeEpoch: exchange.receivedAt,
      resourceId: routeKey,
      resourcePath: resourceOf(routeKey),
      stage: stage.name,
    },
    body: exchange.body,
    binary: !isText(exchange),
  });
}

/**
 * Returns a function event in payload format 1.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const eventV1 = (exchange: HttpExchange): Record<string, unknown> => ({
  version: '1.0',
  ...requestV1(exchange),
});
