import { percentDecoded } from '@emu/core/service';
import type { HttpExchange } from './exchange.ts';

/** Media types sent as text; others are sent as base64. */
const TEXT = /^(?:text\/|application\/(?:json|javascript|xml)\b|application\/(?:[\w.-]+\+)(?:json|xml)\b)/i;

/** Whether a body is sent to functions as text. */
export const isText = ({ headers, body }: Pick<HttpExchange, 'headers' | 'body'>): boolean =>
  body.length === 0 || TEXT.test(headers.get('content-type') ?? '');

/** Returns an object with the values under a name; empty if there are none. */
const some = <T extends object>(name: string, values: T): Record<string, T> =>
  Object.keys(values).length === 0 ? {} : { [name]: values };

/** Returns the authorizer members of a version 2.0 event. */
function authorizerOf({ authorizer, caller, cognito }: HttpExchange): object {
  if (caller)
    return {
      authorizer: {
        iam: {
          accessKey: caller.accessKeyId ?? null,
          accountId: caller.accountId,
          callerId: caller.userId,
          cognitoIdentity: cognito ?? null,
          principalOrgId: null,
          userArn: caller.arn,
          userId: caller.userId,
        },
      },
    };
  if (authorizer?.kind === 'jwt')
    return { authorizer: { jwt: { claims: authorizer.claims, scopes: authorizer.scopes } } };
  if (authorizer?.kind === 'lambda') return { authorizer: { lambda: authorizer.context } };
  return {};
}

/** Returns the members common to version 2.0 events of functions and authorizers. */
export function requestV2(exchange: HttpExchange): Record<string, unknown> {
  const { stage, state, match, domainName, query, request } = exchange;
  const headers: Record<string, string> = {};
  for (const [name, values] of exchange.headers.entries())
    if (name.toLowerCase() !== 'cookie') headers[name.toLowerCase()] = values.join(',');
  const cookies = exchange.headers.all('cookie').flatMap((line) => line.split(/;\s*/));
  const path = percentDecoded(exchange.fullPath);
  return {
    routeKey: match!.route.RouteKey,
    rawPath: path,
    rawQueryString: request.query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...some('queryStringParameters', query.joined()),
    requestContext: {
      accountId: state.accountId,
      apiId: stage.api.ApiId,
      ...(exchange.client && { authentication: { clientCert: exchange.client } }),
      ...authorizerOf(exchange),
      domainName,
      domainPrefix: domainName.split('.')[0],
      http: {
        method: exchange.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: exchange.sourceIp,
        userAgent: exchange.userAgent,
      },
      requestId: exchange.requestId,
      routeKey: match!.route.RouteKey,
      stage: stage.name,
      time: exchange.time,
      timeEpoch: exchange.receivedAt,
    },
    ...some('pathParameters', match!.pathParameters),
    ...some('stageVariables', stage.variables),
  };
}

/**
 * Returns a function event in payload format 2.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function eventV2(exchange: HttpExchange): Record<string, unknown> {
  const { body } = exchange;
  const text = isText(exchange);
  return {
    version: '2.0',
    ...requestV2(exchange),
    ...(body.length > 0 && { body: body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: !text,
  };
}
