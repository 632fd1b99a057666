import { percentDecoded } from '@emu/core/service';
import { cognitoMembers } from '../authorizers/cognito.ts';
import type { HttpExchange } from './exchange.ts';

/**
 * Returns `$context` of a request for access logs and mappings.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
export function contextOf(exchange: HttpExchange): Record<string, unknown> {
  const { stage, state, caller, cognito, authorizer, log, domainName } = exchange;
  const { ApiId } = stage.api;
  return {
    accountId: state.accountId,
    apiId: ApiId,
    authorizer: {
      ...(authorizer?.kind === 'jwt' ? { claims: authorizer.claims } : authorizer?.context),
      ...(authorizer?.kind === 'lambda' &&
        authorizer.principalId !== undefined && { principalId: authorizer.principalId }),
      ...(log.authorizerError !== undefined && { error: log.authorizerError }),
    },
    domainName,
    domainPrefix: domainName.split('.')[0],
    ...(log.error && {
      error: {
        message: log.error.message,
        messageString: JSON.stringify(log.error.message),
        responseType: log.error.responseType,
      },
    }),
    extendedRequestId: exchange.requestId,
    httpMethod: exchange.method,
    identity: {
      ...(caller && {
        accountId: caller.accountId,
        caller: caller.userId,
        user: caller.userId,
        userArn: caller.arn,
        accessKey: caller.accessKeyId,
      }),
      ...(cognito && cognitoMembers(cognito)),
      ...(exchange.client && { clientCert: exchange.client }),
      sourceIp: exchange.sourceIp,
      userAgent: exchange.userAgent,
    },
    awsEndpointRequestId: log.endpointRequestId,
    awsEndpointRequestId2: log.endpointRequestId2,
    customDomain: { basePathMatched: exchange.basePath, routingRuleIdMatched: exchange.ruleId },
    integration: {
      error: log.integrationError,
      latency: log.integrationLatency,
      requestId: log.endpointRequestId,
      status: log.integrationStatus,
      integrationStatus: log.serviceStatus ?? log.integrationStatus,
    },
    integrationErrorMessage: log.integrationError,
    integrationLatency: log.integrationLatency,
    integrationStatus: log.serviceStatus ?? log.integrationStatus,
    path: percentDecoded(exchange.fullPath),
    protocol: 'HTTP/1.1',
    requestId: exchange.requestId,
    requestTime: exchange.time,
    requestTimeEpoch: exchange.receivedAt,
    routeKey: exchange.routeKey,
    stage: stage.name,
  };
}
