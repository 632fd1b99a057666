import { functionWrittenIn } from '@emu/apigateway-common';
import { type DeepReadonly, notEmulated, parseArn } from '@emu/core/service';
import type { ConnectionType, Integration, Method, MethodResponse } from '@emu/service-types/apigateway';
import { badRequest } from '../errors.ts';

/**
 * Maximum duration of an integration, in milliseconds.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
export const TIMEOUT = 29_000;
const MIN_TIMEOUT = 50;
/**
 * Maximum duration of a streaming integration.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
const MAX_STREAM_TIMEOUT = 900_000;
const REQUEST_TARGET =
  /^integration\.request\.(?:header|querystring|path|multivalueheader|multivaluequerystring)\.[^\s]+$/;
const SOURCE =
  /^(?:method\.request\.(?:header|querystring|path|body|multivalueheader|multivaluequerystring)(?:\..+)?|stageVariables\..+|context\..+|'.*')$/s;
/** Parameters of a request that a method declares. */
const METHOD_PARAMETER = /^method\.request\.(?:header|querystring|path|multivalueheader|multivaluequerystring)\./;
const RESPONSE_SOURCE =
  /^(?:integration\.response\.(?:header|multivalueheader)\..+|integration\.response\.body(?:\..+|\[.+)?|stageVariables\..+|context\..+|'.*')$/s;

const invalidMapping = (problem: string): Error =>
  badRequest(`Invalid mapping expression specified: Validation Result: warnings : [], errors : [${problem}]`);
const invalidExpression = (text: string): Error => invalidMapping(`Invalid mapping expression specified: ${text}`);

/**
 * Validates the parameter mapping of an integration request, whose sources the method must declare.
 * @throws AwsError `BadRequestException`
 */
function checkRequestParameters(
  parameters: Record<string, string> | undefined,
  { requestParameters: declared = {} }: DeepReadonly<Pick<Method, 'requestParameters'>>,
): void {
  for (const [target, source] of Object.entries(parameters ?? {})) {
    if (!REQUEST_TARGET.test(target)) throw invalidExpression(target);
    if (!SOURCE.test(source)) throw invalidExpression(source);
    // All values of a parameter are available under the name that it is declared with.
    const single = source.replace('.multivalue', '.');
    if (METHOD_PARAMETER.test(source) && declared[source] === undefined && declared[single] === undefined)
      throw invalidMapping(`Invalid mapping expression parameter specified: ${source}`);
  }
}

/**
 * Validates the parameter mapping of an integration response.
 * @throws AwsError `BadRequestException`
 */
export function checkAnswerParameters(parameters: Record<string, string> | undefined): void {
  for (const [target, source] of Object.entries(parameters ?? {})) {
    if (!/^method\.response\.header\.[^\s]+$/.test(target)) throw invalidExpression(target);
    if (!RESPONSE_SOURCE.test(source)) throw invalidExpression(source);
  }
}

/**
 * Checks that the method's response declares the headers that an integration response sets.
 * @param declared the method's response with the same status
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping.html
 */
export function checkDeclared(
  parameters: Record<string, string> | undefined,
  declared: DeepReadonly<MethodResponse> | undefined,
): void {
  const targets = Object.keys(parameters ?? {});
  if (targets.length === 0) return;
  if (!declared) throw invalidMapping('No method response exists for method.');
  const undeclared = targets.find((target) => declared.responseParameters?.[target] === undefined);
  if (undeclared !== undefined) throw invalidMapping(`Invalid mapping expression parameter specified: ${undeclared}`);
}

/**
 * Validates the content types of templates.
 * @throws AwsError `BadRequestException`
 */
export function checkTemplates(templates: Record<string, string> | undefined): void {
  for (const type of Object.keys(templates ?? {}))
    if (!/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:;.*)?$/.test(type) && type !== '$default')
      throw badRequest(`Validation Result: warnings : [], errors : [Invalid content type specified: ${type}]`);
}

function checkUri({ type, uri = '', credentials }: Integration): void {
  if (type === 'HTTP' || type === 'HTTP_PROXY') {
    if (!/^https?:\/\/[^/]|^\$\{stageVariables\./.test(uri))
      throw badRequest('Invalid HTTP endpoint specified for URI');
    return;
  }
  const arn = parseArn(uri);
  if (!arn) throw badRequest('Invalid ARN specified in the request');
  if (arn.service !== 'apigateway' || !/^(?:[^/:]+\.)?[^/:]+:(?:path|action)\/|^(?:path|action)\//.test(arn.resource))
    throw badRequest('AWS ARN for integration must contain path or action');
  if (type !== 'AWS_PROXY') {
    // A function's own policy may permit its invocation; other services need a role.
    if (arn.accountId !== 'lambda' && !credentials) throw badRequest('Role ARN must be specified for AWS integrations');
    return;
  }
  if (namesFunction(uri)) return;
  if (/:firehose:action\//.test(uri)) throw notEmulated('proxy integrations with Firehose streams');
  throw badRequest(
    "Integrations of type 'AWS_PROXY' currently only supports Lambda function and Firehose stream invocations.",
  );
}

/** Whether a URI names a Lambda function by ARN, possibly with stage variables. */
const namesFunction = (uri: string): boolean =>
  /^arn:[^:]+:lambda:|\$\{stageVariables\./.test(functionWrittenIn(uri) ?? '');

/**
 * Checks that an integration supports its response transfer mode.
 * @throws AwsError `BadRequestException`
 */
function checkTransfer({ type, uri = '' }: Integration, streams: boolean): void {
  if (streams && type !== 'HTTP_PROXY' && type !== 'AWS_PROXY')
    throw badRequest('The response transfer mode STREAM is supported only for HTTP_PROXY and AWS_PROXY integrations');
  if (type === 'AWS_PROXY' && uri.endsWith('/response-streaming-invocations') !== streams)
    throw badRequest(
      streams
        ? 'The URI of a Lambda integration with the response transfer mode STREAM must end with /response-streaming-invocations'
        : 'The URI of a Lambda integration must end with /invocations unless its response transfer mode is STREAM',
    );
}

/** Returns the connection type, which responses include for HTTP integrations by default. */
export const connectionOf = (
  type: string | undefined,
  given: ConnectionType | undefined,
): Pick<Integration, 'connectionType'> => {
  const connectionType = given ?? (type?.startsWith('HTTP') ? 'INTERNET' : undefined);
  return connectionType === undefined ? {} : { connectionType };
};

/**
 * Validates a complete integration.
 * @param method which declares the sources of request parameters
 * @throws AwsError `BadRequestException`
 */
export function checkIntegration(
  integration: Integration,
  method: DeepReadonly<Pick<Method, 'requestParameters'>>,
): void {
  const {
    type,
    httpMethod,
    passthroughBehavior,
    timeoutInMillis = TIMEOUT,
    connectionType,
    connectionId,
  } = integration;
  if (type !== 'MOCK') {
    if (!httpMethod) throw badRequest('Enumeration value for HttpMethod must be non-empty');
    checkUri(integration);
  }
  if (!['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER'].includes(passthroughBehavior!))
    throw badRequest(
      'Invalid passthrough behavior specified. Valid options are WHEN_NO_MATCH, WHEN_NO_TEMPLATES, NEVER',
    );
  const streams = integration.responseTransferMode === 'STREAM';
  if (timeoutInMillis < MIN_TIMEOUT || timeoutInMillis > (streams ? MAX_STREAM_TIMEOUT : 300_000))
    throw badRequest(`Timeout should be between 50 ms and ${streams ? MAX_STREAM_TIMEOUT : TIMEOUT} ms`);
  checkTransfer(integration, streams);
  if (connectionType === 'VPC_LINK' && !connectionId)
    throw badRequest('Connection ID must be specified for the connection type VPC_LINK');
  checkRequestParameters(integration.requestParameters, method);
  checkTemplates(integration.requestTemplates);
}
