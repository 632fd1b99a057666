import { ExecutionLog, Fields } from '@emu/apigateway-common';
import { readAtMost } from '@emu/core/service';
import type { InputOf, OutputOf, TestInvokeAuthorizerResponse } from '@emu/service-types/apigateway';
import { definitionOf } from '../apis/api.ts';
import type { ApigatewayContext } from '../context.ts';
import { askAuthorizer, identityOf, testHeaders } from '../data-plane/authorizers/function.ts';
import { Call, type CallStage } from '../data-plane/call.ts';
import { GatewayFault } from '../data-plane/fault.ts';
import { routerOf } from '../data-plane/router.ts';
import { run } from '../data-plane/run.ts';
import { badRequest, notFound } from '../errors.ts';
import { apiOf, methodOf, resourceOf } from '../lookup.ts';

const STAGE = 'test-invoke-stage';
/**
 * Stage name in method ARNs for authorizer tests.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-test-method.html
 */
const AUTHORIZER_STAGE = 'ESTestInvoke-stage';
/** Maximum bytes of a streamed body in a test result. */
const MAX_BODY = 10 * 1024 * 1024;

/** Returns the pseudo stage of a test invocation. */
const testStage = (name: string, variables: Record<string, string> = {}, clientCertificateId?: string): CallStage => ({
  name,
  deploymentId: '',
  variables,
  canary: false,
  settings: () => ({}),
  cache: false,
  cacheName: '',
  tracing: false,
  logged: true,
  clientCertificateId,
});

interface TestInput {
  restApiId: string;
  pathWithQueryString?: string | undefined;
  body?: string | undefined;
  headers?: Record<string, string> | undefined;
  multiValueHeaders?: Record<string, string[]> | undefined;
  stageVariables?: Record<string, string> | undefined;
  clientCertificateId?: string | undefined;
}

function testCall(input: TestInput, httpMethod: string, path: string, ctx: ApigatewayContext, stageName = STAGE): Call {
  const { state, requestId } = ctx;
  const definition = definitionOf(apiOf(input.restApiId, ctx), state);
  const [given = path, query = ''] = (input.pathWithQueryString || path).split('?');
  const log = new ExecutionLog(true, () => state.clock.now());
  const request = {
    method: httpMethod,
    path: given,
    fullPath: given,
    headers: testHeaders(input.headers, input.multiValueHeaders),
    query: Fields.ofQuery(query),
    body: Buffer.from(input.body ?? ''),
    sourceIp: 'test-invoke-source-ip',
    host: 'testPrefix.testDomainName',
    secure: true,
    requestId,
    signal: ctx.signal,
  };
  const stage = testStage(stageName, input.stageVariables, input.clientCertificateId);
  return new Call(state, input.restApiId, definition, stage, request, log, true);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_TestInvokeMethod.html */
export async function TestInvokeMethod(
  input: InputOf<'TestInvokeMethod'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'TestInvokeMethod'>> {
  const { resourceId, httpMethod, clientCertificateId } = input;
  const resource = resourceOf(input, ctx);
  const method = methodOf(input, ctx);
  if (clientCertificateId && !ctx.state.certificates.has(clientCertificateId))
    throw notFound('Invalid Client Certificate identifier specified');
  const call = testCall(input, httpMethod === 'ANY' ? 'GET' : httpMethod, resource.path, ctx);
  const found = routerOf(call.definition).find(call.request.method, call.request.path);
  // The path of a test may differ from the resource's; then it has no path parameters.
  const pathParameters = found?.resource.id === resourceId ? found.pathParameters : {};
  call.enter(resource, method, pathParameters);
  const started = ctx.clock.now();
  const answer = await run(call);
  const body = answer.stream ? await readAtMost(answer.stream, MAX_BODY) : answer.body;
  return {
    status: answer.status,
    body: (body ?? '').toString(),
    headers: answer.headers.joined(),
    multiValueHeaders: answer.headers.lists(),
    log: call.log.text(ctx.requestId),
    latency: ctx.clock.now() - started,
  };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_TestInvokeAuthorizer.html */
export async function TestInvokeAuthorizer(
  input: InputOf<'TestInvokeAuthorizer'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'TestInvokeAuthorizer'>> {
  const api = apiOf(input.restApiId, ctx);
  const authorizer = ctx.state.authorizers.get(input.restApiId, input.authorizerId);
  if (!authorizer) throw notFound('Invalid Authorizer identifier specified');
  if (authorizer.type === 'COGNITO_USER_POOLS')
    throw badRequest('Test invoke is not supported for authorizers of Cognito user pools');
  const call = testCall(input, 'GET', '/', ctx, AUTHORIZER_STAGE);
  Object.assign(call.context, input.additionalContext);
  call.enter(ctx.state.resources.get(api.id, api.rootResourceId)!, { httpMethod: 'GET' }, {});
  const started = ctx.clock.now();
  const answerOf = (rest: TestInvokeAuthorizerResponse): TestInvokeAuthorizerResponse => ({
    ...rest,
    log: call.log.text(ctx.requestId),
    latency: ctx.clock.now() - started,
  });
  try {
    const { token } = identityOf(call, authorizer);
    const result = await askAuthorizer(call, authorizer, token);
    const authorization = Object.fromEntries(Object.entries(result.context).map(([name, value]) => [name, [value]]));
    return answerOf({ clientStatus: 0, principalId: result.principalId, policy: result.policy, authorization });
  } catch (error) {
    if (!(error instanceof GatewayFault)) throw error;
    call.log.add(() => error.details.log ?? error.message);
    return answerOf({ clientStatus: error.type === 'UNAUTHORIZED' ? 401 : 500 });
  }
}
