import { notEmulated, parseArn } from '@emu/core/service';
import type { CreateIntegrationRequest, ProtocolType } from '@emu/service-types/apigatewayv2';
import { badRequest } from '../errors.ts';
import { isMappingValue } from '../http/mapping-values.ts';
import { SUBTYPES } from '../http/subtypes.ts';
import { functionOf } from '../runtime/function-uri.ts';
import { INTEGRATION_SOURCE, INTEGRATION_TARGET } from '../websocket/parameters.ts';
import { isRequestSelection } from '../websocket/selection.ts';

/** Settings of an integration in a request. */
export type IntegrationSettings = Omit<CreateIntegrationRequest, 'ApiId'>;

/** Minimum and maximum integration timeouts in milliseconds, by protocol; the maximum is the default. */
export const TIMEOUTS = { HTTP: { least: 50, most: 30_000 }, WEBSOCKET: { least: 50, most: 29_000 } } as const;

const HTTP_METHODS: ReadonlySet<string> = new Set(['ANY', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const HTTP_URL = /^https?:\/\/[^\s]+$/;
const ROLE = /^arn:[^:]+:iam::(?:\d{12}|\*):(?:role\/.+|user\/\*)$/;
/** Matches statuses in response mappings. */
const STATUS = /^[1-5]\d\d$/;
const REQUEST_TARGET = /^(?:(?:append|overwrite|remove):(?:header|querystring)\.[^\s]+|overwrite:path)$/;
const RESPONSE_TARGET = /^(?:(?:append|overwrite|remove):header\.[^\s]+|overwrite:statuscode)$/;
/**
 * Headers that mappings must not set.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-parameter-mapping.html
 */
const RESERVED =
  /^(?:access-control-.*|apigw-.*|authorization|connection|content-encoding|content-length|content-location|forwarded|keep-alive|origin|proxy-authenticate|proxy-authorization|te|trailers|transfer-encoding|upgrade|x-amz-.*|x-amzn-.*|x-forwarded-for|x-forwarded-host|x-forwarded-proto|via)$/i;
const MAX_PARAMETERS = 10;

/**
 * Validates a new or changed integration.
 * @throws AwsError `BadRequestException`; `NotImplemented` for unsupported settings
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations.html
 */
export function checkIntegration(protocol: ProtocolType, settings: IntegrationSettings): void {
  const { IntegrationMethod, TimeoutInMillis, CredentialsArn, ConnectionType } = settings;
  if (IntegrationMethod !== undefined && !HTTP_METHODS.has(IntegrationMethod))
    throw badRequest(`Invalid HTTP method specified: ${IntegrationMethod}`);
  const { least, most } = TIMEOUTS[protocol];
  if (TimeoutInMillis !== undefined && (TimeoutInMillis < least || TimeoutInMillis > most))
    throw badRequest(`Timeout should be between ${least} ms and ${most} ms`);
  if (CredentialsArn !== undefined && !ROLE.test(CredentialsArn))
    throw badRequest('Invalid CredentialsArn specified: it must be the ARN of a role');
  if (ConnectionType === 'VPC_LINK') checkPrivate(protocol, settings);
  else if (settings.ConnectionId !== undefined)
    throw badRequest('ConnectionId can be given only with ConnectionType VPC_LINK');
  else if (settings.TlsConfig) throw badRequest('TlsConfig can be given only with ConnectionType VPC_LINK');
  if (protocol === 'HTTP') checkHttp(settings);
  else checkWebSocket(settings);
}

/**
 * Validates an integration with a VPC link. HTTP APIs require a load balancer listener or Cloud Map service, which emu
 * does not have; WebSocket APIs call the host of their URI.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-private.html
 */
function checkPrivate(protocol: ProtocolType, settings: IntegrationSettings): void {
  const { ConnectionId, IntegrationUri = '', IntegrationType } = settings;
  if (!ConnectionId) throw badRequest('ConnectionId is a required parameter for ConnectionType VPC_LINK');
  if (IntegrationType !== 'HTTP_PROXY' && (protocol === 'HTTP' || IntegrationType !== 'HTTP'))
    throw badRequest('ConnectionType VPC_LINK is supported only for HTTP integrations');
  if (protocol === 'WEBSOCKET') {
    if (settings.TlsConfig) throw badRequest('TlsConfig is supported only for HTTP APIs');
    return;
  }
  const { service, resource = '' } = parseArn(IntegrationUri) ?? {};
  const isListener = service === 'elasticloadbalancing' && resource.startsWith('listener/');
  if (!isListener && !(service === 'servicediscovery' && resource.startsWith('service/')))
    throw badRequest(
      'For VpcLink, IntegrationUri should be a valid ELB listener ARN or a valid Cloud Map service ARN.',
    );
  throw notEmulated('integrations with listeners of load balancers and services of Cloud Map');
}

function checkHttp(settings: IntegrationSettings): void {
  const { IntegrationType, IntegrationUri, IntegrationSubtype, PayloadFormatVersion: version } = settings;
  if (IntegrationType !== 'AWS_PROXY' && IntegrationType !== 'HTTP_PROXY')
    throw badRequest('HTTP APIs support only the integration types HTTP_PROXY and AWS_PROXY');
  for (const member of [
    'ContentHandlingStrategy',
    'PassthroughBehavior',
    'RequestTemplates',
    'TemplateSelectionExpression',
  ] as const)
    if (settings[member] !== undefined) throw badRequest(`${member} is supported only for WebSocket APIs`);
  if (version !== undefined && version !== '1.0' && version !== '2.0')
    throw badRequest(`Invalid PayloadFormatVersion specified: ${version}`);
  if (IntegrationSubtype !== undefined) {
    checkFirstClass(settings, IntegrationSubtype);
    return;
  }
  checkMappings(settings);
  if (IntegrationUri === undefined) throw badRequest('IntegrationUri is a required parameter for integration');
  if (IntegrationType === 'AWS_PROXY') {
    if (functionOf(IntegrationUri) === undefined)
      throw badRequest('IntegrationUri should be a valid Lambda function ARN');
    if (version === undefined) throw badRequest('PayloadFormatVersion is a required parameter for integration');
    return;
  }
  if (!HTTP_URL.test(IntegrationUri)) throw badRequest('Invalid HTTP endpoint specified for URI');
  if (settings.IntegrationMethod === undefined)
    throw badRequest('IntegrationMethod is a required parameter for integration');
  if (version === '2.0') throw badRequest('PayloadFormatVersion of an HTTP_PROXY integration must be 1.0');
}

/**
 * Validates an integration with a service operation.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-aws-services-reference.html
 */
function checkFirstClass(settings: IntegrationSettings, subtype: string): void {
  const { RequestParameters = {}, ResponseParameters, CredentialsArn, IntegrationUri } = settings;
  const known = SUBTYPES[subtype];
  if (!known) {
    if (subtype === 'AppConfig-GetConfiguration') throw notEmulated(`the integration subtype ${subtype}`);
    throw badRequest(`Invalid IntegrationSubtype specified: ${subtype}`);
  }
  if (settings.IntegrationType !== 'AWS_PROXY') throw badRequest('IntegrationSubtype can be given only with AWS_PROXY');
  if (IntegrationUri !== undefined) throw badRequest('IntegrationUri cannot be given with IntegrationSubtype');
  if (CredentialsArn === undefined)
    throw badRequest('CredentialsArn is a required parameter for integration with IntegrationSubtype');
  for (const name of known.required)
    if (RequestParameters[name] === undefined)
      throw badRequest(`The parameter ${name} is required for the integration subtype ${subtype}`);
  for (const [name, value] of Object.entries(RequestParameters)) {
    if (name !== 'Region' && !known.required.includes(name) && !known.optional.includes(name))
      throw badRequest(`The parameter ${name} is not supported for the integration subtype ${subtype}`);
    if (!isMappingValue(value, 'request')) throw badRequest(`Invalid mapping expression specified: ${value}`);
  }
  checkResponses(ResponseParameters);
}

function checkMappings({ RequestParameters = {}, ResponseParameters }: IntegrationSettings): void {
  if (Object.keys(RequestParameters).length > MAX_PARAMETERS)
    throw badRequest(`An integration can have at most ${MAX_PARAMETERS} RequestParameters`);
  for (const [target, value] of Object.entries(RequestParameters))
    checkMapping(target, value, REQUEST_TARGET, 'request');
  checkResponses(ResponseParameters);
}

function checkResponses(parameters: IntegrationSettings['ResponseParameters']): void {
  for (const [status, mappings] of Object.entries(parameters ?? {})) {
    if (!STATUS.test(status)) throw badRequest(`Invalid status code specified in ResponseParameters: ${status}`);
    if (Object.keys(mappings).length > MAX_PARAMETERS)
      throw badRequest(`A status code can have at most ${MAX_PARAMETERS} ResponseParameters`);
    for (const [target, value] of Object.entries(mappings)) checkMapping(target, value, RESPONSE_TARGET, 'response');
  }
}

function checkMapping(target: string, value: string, targets: RegExp, from: 'request' | 'response'): void {
  const [, name] = /^\w+:header\.(.+)$/.exec(target) ?? [];
  if (!targets.test(target) || (name !== undefined && RESERVED.test(name)))
    throw badRequest(`Invalid mapping expression specified: ${target}`);
  if (target.startsWith('remove:') ? value !== "''" && value !== '' && value !== "''" : !isMappingValue(value, from))
    throw badRequest(`Invalid mapping expression specified: ${value}`);
}

/**
 * Validates an integration of a WebSocket API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-integration-requests.html
 */
function checkWebSocket(settings: IntegrationSettings): void {
  const { IntegrationType, IntegrationUri, IntegrationMethod, PayloadFormatVersion: version } = settings;
  const { TemplateSelectionExpression: selection } = settings;
  if (selection !== undefined && !isRequestSelection(selection))
    throw badRequest(`Invalid TemplateSelectionExpression specified: ${selection}`);
  if (settings.IntegrationSubtype !== undefined) throw badRequest('IntegrationSubtype is supported only for HTTP APIs');
  if (version !== undefined && version !== '1.0')
    throw badRequest('PayloadFormatVersion of an integration of a WebSocket API must be 1.0');
  if (Object.keys(settings.ResponseParameters ?? {}).length > 0)
    throw badRequest('ResponseParameters are supported only for HTTP APIs');
  for (const [target, source] of Object.entries(settings.RequestParameters ?? {}))
    for (const [text, form] of [
      [target, INTEGRATION_TARGET],
      [source, INTEGRATION_SOURCE],
    ] as const)
      if (!form.test(text)) throw badRequest(`Invalid mapping expression specified: ${text}`);
  if (IntegrationType === 'MOCK') return;
  if (IntegrationUri === undefined) throw badRequest('IntegrationUri is a required parameter for integration');
  if (IntegrationType === 'AWS_PROXY' || IntegrationType === 'AWS') {
    if (functionOf(IntegrationUri) !== undefined) return;
    if (IntegrationType === 'AWS_PROXY') throw badRequest('IntegrationUri should be a valid Lambda function ARN');
    const arn = parseArn(IntegrationUri);
    if (arn?.service !== 'apigateway') throw badRequest('Invalid ARN specified in the request');
    if (!/^(?:path|action)\//.test(arn.resource))
      throw badRequest('AWS ARN for integration must contain path or action');
    if (settings.CredentialsArn === undefined)
      throw badRequest('CredentialsArn is a required parameter for integration with other services than Lambda');
    if (IntegrationMethod === undefined) throw badRequest('IntegrationMethod is a required parameter for integration');
    return;
  }
  if (!HTTP_URL.test(IntegrationUri)) throw badRequest('Invalid HTTP endpoint specified for URI');
  if (IntegrationMethod === undefined) throw badRequest('IntegrationMethod is a required parameter for integration');
}
