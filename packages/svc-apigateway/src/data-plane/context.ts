import { type Fields, requestTime } from '@emu/apigateway-common';

/** `$context` by member; changes by templates take effect. */
export type CallContext = Record<string, unknown> & {
  identity: Record<string, unknown>;
  requestOverride: {
    header: Record<string, unknown>;
    path: Record<string, unknown>;
    querystring: Record<string, unknown>;
  };
  responseOverride: { header: Record<string, unknown>; status: unknown };
};

/** The parts of a call that context variables depend on. */
interface ContextSource {
  readonly state: { readonly accountId: string };
  readonly apiId: string;
  readonly stage: { readonly name: string; readonly deploymentId: string; readonly canary: boolean };
  readonly request: {
    readonly method: string;
    readonly fullPath: string;
    readonly headers: Fields;
    readonly host: string;
    readonly sourceIp: string;
    readonly requestId: string;
  };
  /** Undefined before the method is found. */
  readonly resource: { readonly id: string; readonly path: string } | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly extendedRequestId: string;
  readonly trace: string;
}

/**
 * Returns the initial `$context` of a call, before authorization.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html#context-variable-reference
 */
export function contextOf(call: ContextSource): CallContext {
  const { apiId, stage, request, startedAt, resource } = call;
  const { headers, host } = request;
  return {
    accountId: call.state.accountId,
    apiId,
    deploymentId: stage.deploymentId,
    domainName: host,
    domainPrefix: host.split('.')[0],
    extendedRequestId: call.extendedRequestId,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: headers.get('user-agent') ?? null,
      userArn: null,
    },
    path: request.fullPath,
    protocol: 'HTTP/1.1',
    requestId: request.requestId,
    requestTime: requestTime(startedAt),
    requestTimeEpoch: startedAt,
    stage: stage.name,
    isCanaryRequest: stage.canary,
    xrayTraceId: call.trace,
    requestOverride: { header: {}, path: {}, querystring: {} },
    responseOverride: { header: {}, status: null },
    ...(resource && { resourceId: resource.id, resourcePath: resource.path }),
  };
}
