import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { authorizers as authorizersArn, invocations, PARTITION, socketRequests } from '../arns-data.ts';
import { resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { inheritedAttributes, isIntrinsic, type Obj, pick, type Resource, ref } from '../values.ts';
import { addDomainV2 } from './domains.ts';

const CREATED_BY = 'websocketapi:createdBy';
const STAGE = 'default';
const CONNECT = '$connect';
const SPECIAL = new Set([CONNECT, '$disconnect', '$default']);

/**
 * Translates a WebSocket API with routes, stage, authorizer and domain.
 * @throws SamProblem
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-websocketapi.html
 */
export function translateWebSocketApi(id: string, resource: Resource, to: Translation): void {
  const properties = resource.Properties ?? {};
  check(id, properties);
  const attributes = inheritedAttributes(resource);
  const { Auth: auth, Routes, Tags, StageName = STAGE } = properties;
  const routes = Routes as Record<string, Obj>;
  const { Type: _, Properties: __, ...kept } = resource;
  to.add(
    id,
    'AWS::ApiGatewayV2::Api',
    {
      ...pick(properties, [
        'ApiKeySelectionExpression',
        'Description',
        'DisableExecuteApiEndpoint',
        'DisableSchemaValidation',
        'IpAddressType',
        'RouteSelectionExpression',
      ]),
      Name: properties.Name ?? id,
      ProtocolType: 'WEBSOCKET',
      Tags: { ...(isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' },
    },
    kept,
  );
  const tags = { ...(properties.PropagateTags === true && isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' };
  addDomainV2(id, properties.Domain, tags, attributes, to, false);
  const ids = Object.entries(routes).map(([key, route]) => addRoute(id, key, route, auth, StageName, attributes, to));
  addStage(id, properties, StageName, ids, tags, attributes, to);
}

function check(id: string, properties: Obj): void {
  for (const name of ['Routes', 'RouteSelectionExpression'])
    if (properties[name] === undefined || properties[name] === null)
      throw resourceProblem(id, `Missing required property '${name}'.`);
  for (const name of ['AccessLogSettings', 'Auth', 'DefaultRouteSettings', 'RouteSettings', 'Routes'])
    if (properties[name] !== undefined && properties[name] !== null && !isObject(properties[name]))
      throw resourceProblem(id, `Property '${name}' should be a map.`);
  const { Routes, IpAddressType: address, Domain, StageName, Auth: auth } = properties;
  if (!Object.keys(Routes as Obj).length) throw resourceProblem(id, 'WebSocket API must have at least one route.');
  for (const [key, route] of Object.entries(Routes as Obj))
    if (!isObject(route)) throw resourceProblem(id, `Property 'Routes.${key}' should be a map.`);
  if (address !== undefined && !isIntrinsic(address) && address !== 'ipv4' && address !== 'dualstack')
    throw resourceProblem(id, "IpAddressType must be 'ipv4' or 'dualstack'.");
  if (isObject(Domain) && Domain.MutualTlsAuthentication)
    throw resourceProblem(id, 'Mutual TLS domain name association is not supported for Websocket APIs.');
  if (auth && !Object.hasOwn(Routes as Obj, CONNECT))
    throw resourceProblem(id, 'Authorization is only available if there is a $connect route.');
  if (StageName === '$default') throw resourceProblem(id, 'Stages cannot be named $default for WebSocket APIs.');
  if (isObject(auth)) checkAuth(id, auth);
}

function checkAuth(id: string, auth: Obj): void {
  const type = typeof auth.AuthType === 'string' ? auth.AuthType.toUpperCase() : auth.AuthType;
  if (!type) throw resourceProblem(id, 'AuthType must be specified for additional auth configurations.');
  if (type !== 'NONE' && type !== 'AWS_IAM' && type !== 'CUSTOM')
    throw resourceProblem(id, 'AuthType is not one of AWS_IAM, CUSTOM or NONE.');
  if (type === 'CUSTOM' && !auth.AuthArn) throw resourceProblem(id, 'AuthArn must be specified if AuthType is CUSTOM.');
  if (type !== 'CUSTOM' && Object.keys(auth).length > 1)
    throw resourceProblem(id, `No additional configurations supported for AuthType ${type}.`);
}

/**
 * Returns the route key as part of an id.
 * @throws SamProblem
 */
function spelt(id: string, key: string): string {
  if (!SPECIAL.has(key) && !/^[\p{L}\p{N}]+$/u.test(key))
    throw resourceProblem(
      id,
      `Route key '${key}' must be alphanumeric. Only $connect, $disconnect, and $default special routes are supported.`,
    );
  const plain = key.replace('$', '');
  return plain.charAt(0).toUpperCase() + plain.slice(1).toLowerCase();
}

/**
 * Creates a route, its integration and the permission to invoke its function.
 * @returns the route's id
 */
function addRoute(
  id: string,
  RouteKey: string,
  route: Obj,
  auth: unknown,
  stage: unknown,
  attributes: Obj,
  to: Translation,
): string {
  const base = `${id}${spelt(id, RouteKey)}`;
  const { FunctionArn, RequestParameters } = route;
  if (RequestParameters && RouteKey !== CONNECT)
    throw resourceProblem(id, 'Request parameters are only supported for the $connect route in WebSocket APIs.');
  if (FunctionArn === undefined) throw resourceProblem(id, 'Route must have associated function.');
  const ApiId = ref(id);
  to.add(
    `${base}Route`,
    'AWS::ApiGatewayV2::Route',
    {
      ...pick(route, [
        'ApiKeyRequired',
        'ModelSelectionExpression',
        'OperationName',
        'RequestModels',
        'RequestParameters',
        'RouteResponseSelectionExpression',
      ]),
      ...(RouteKey === CONNECT && isObject(auth) && authorization(id, auth, attributes, to)),
      ApiId,
      RouteKey,
      Target: { 'Fn::Join': ['/', ['integrations', ref(`${base}Integration`)]] },
    },
    attributes,
  );
  to.add(
    `${base}Integration`,
    'AWS::ApiGatewayV2::Integration',
    {
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: { 'Fn::Sub': [invocations(PARTITION, 'FunctionArn'), { FunctionArn }] },
      TimeoutInMillis: route.IntegrationTimeout,
    },
    attributes,
  );
  const named = typeof stage === 'string';
  const called = socketRequests(id, named ? stage : `\${__StageName__}`, RouteKey);
  to.add(
    `${base}Permission`,
    'AWS::Lambda::Permission',
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: FunctionArn,
      Principal: servicePrincipalName('apigateway'),
      SourceArn: { 'Fn::Sub': named ? called : [called, { __StageName__: stage }] },
    },
    attributes,
  );
  return `${base}Route`;
}

/** Returns the authorization of connections; creates the authorizer of a function. */
function authorization(id: string, auth: Obj, attributes: Obj, to: Translation): Obj {
  const { AuthType, AuthArn, IdentitySource, InvokeRole } = auth;
  if (AuthType !== 'CUSTOM') return { AuthorizationType: AuthType };
  const authorizerId = `${id}ConnectAuthorizer`;
  to.add(
    authorizerId,
    'AWS::ApiGatewayV2::Authorizer',
    {
      ApiId: ref(id),
      AuthorizerCredentialsArn: InvokeRole,
      AuthorizerType: 'REQUEST',
      AuthorizerUri: { 'Fn::Sub': [invocations(PARTITION, 'AuthArn'), { AuthArn }] },
      IdentitySource,
      Name: auth.Name || authorizerId,
    },
    attributes,
  );
  if (!InvokeRole)
    to.add(
      `${id}AuthorizerPermission`,
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: AuthArn,
        Principal: servicePrincipalName('apigateway'),
        SourceArn: { 'Fn::Sub': [authorizersArn(PARTITION), { __ApiId__: ref(id) }] },
      },
      attributes,
    );
  return { AuthorizationType: AuthType, AuthorizerId: ref(authorizerId) };
}

function addStage(
  id: string,
  properties: Obj,
  StageName: unknown,
  routes: readonly string[],
  tags: Obj,
  attributes: Obj,
  to: Translation,
): void {
  const name = typeof StageName === 'string' ? (StageName === STAGE ? 'Default' : StageName) : '';
  const stageId = `${id}${name}Stage`;
  to.add(
    stageId,
    'AWS::ApiGatewayV2::Stage',
    {
      ...pick(properties, ['StageVariables', 'AccessLogSettings', 'DefaultRouteSettings', 'RouteSettings']),
      ApiId: ref(id),
      StageName,
      AutoDeploy: true,
      Tags: tags,
    },
    { ...attributes, ...(Boolean(properties.RouteSettings) && { DependsOn: [...routes] }) },
  );
  to.references.add(id, 'Stage', stageId);
}
