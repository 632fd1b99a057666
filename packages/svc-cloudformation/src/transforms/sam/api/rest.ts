import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { requests } from '../arns-data.ts';
import { location, PLAIN } from '../code.ts';
import { eventProblem, resourceProblem } from '../errors.ts';
import { should } from '../expect.ts';
import { digest, shortDigest } from '../ids.ts';
import type { Translation } from '../translation.ts';
import {
  copy,
  defined,
  inheritedAttributes,
  isIntrinsic,
  type Obj,
  pick,
  type Resource,
  ref,
  samTags,
} from '../values.ts';
import { addAuthorizers, authorize, authorizerPermissions } from './auth.ts';
import { conditionalPaths, implicitCondition, implicitPolicies, propagatedTags } from './conditions.ts';
import { addCors } from './cors.ts';
import { checkEndpoint, checkMethods, checkPaths, checkResponses, isDefinition } from './definition.ts';
import { addRestDomain } from './domains.ts';
import { checkEventAuth } from './event-auth.ts';
import { apiIdOf, IMPLICIT, isMachine, methodKey, ownerOf, pathPattern, type RouteEvent } from './events.ts';
import { executionOf } from './executions.ts';
import { inVersion, mergeDefinitions, plainSlashes } from './openapi.ts';
import { describeRequest } from './requests.ts';
import { addResponses } from './responses.ts';
import { checkRestApi } from './rest-checks.ts';
import { addRoutes, functionUri } from './routes.ts';
import { addUsagePlan } from './usage-plans.ts';

const TYPE = 'AWS::Serverless::Api';

/**
 * Translates the REST APIs of a template, including the implicit one, and grants them permission to invoke the
 * functions of their routes.
 * @param all the routes of all REST APIs
 * @param http the routes of HTTP APIs, because events may name a REST API with its own definition
 */
export function translateRestApis(all: readonly RouteEvent[], http: readonly RouteEvent[], to: Translation): void {
  const routes = all.filter(({ functionId }) => !to.refused.has(functionId));
  const apis = new Map(Object.entries(to.resources).filter(([, { Type }]) => Type === TYPE));
  const own = routes.filter(({ api }) => api === undefined);
  if (own.length && !apis.has(IMPLICIT.Api)) apis.set(IMPLICIT.Api, implicitApi(own, to));
  for (const route of routes)
    to.translate(
      route.functionId,
      () => {
        permit(route, apis, to);
        const api = apiIdOf(route, IMPLICIT.Api, to);
        const properties = api === undefined ? undefined : apis.get(api)?.Properties;
        if (properties && isApplied(route, properties)) checkEventAuth(route, api!, properties.Auth, 'Api', to);
      },
      ownerOf(route),
    );
  for (const [id, resource] of apis) {
    const mine = routes.filter((route) => !to.refused.has(route.functionId) && apiIdOf(route, IMPLICIT.Api, to) === id);
    const others = http.filter((route) => apiIdOf(route, IMPLICIT.HttpApi, to) === id);
    to.translate(id, () => translateRestApi(id, withRoutes(id, resource, others, to), mine, to));
  }
}

/** Whether the authorization of an event is written into the definition of its API. */
const isApplied = ({ properties: { Auth: auth } }: RouteEvent, api: Obj): boolean =>
  (api.DefinitionBody === undefined && api.DefinitionUri === undefined) ||
  api.MergeDefinitions === true ||
  (isObject(auth) && auth.OverrideApiAuth === true && api.DefinitionBody !== undefined);

/** Returns the API of the routes without an API. It is conditional if all of its functions are. */
function implicitApi(routes: readonly RouteEvent[], to: Translation): Resource {
  const shared = to.globals.get(TYPE) ?? {};
  const Condition = implicitCondition(IMPLICIT.Api, routes, to);
  const Properties = { StageName: 'Prod', ...shared, ...propagatedTags(routes) };
  return defined({ Type: TYPE, Properties, Condition, ...implicitPolicies(routes) }) as unknown as Resource;
}

/** Returns a REST API with its own definition, which contains routes of HTTP API events. */
function withRoutes(id: string, resource: Resource, routes: readonly RouteEvent[], to: Translation): Resource {
  const body = copy(resource.Properties?.DefinitionBody);
  if (!routes.length || !isDefinition(body)) return resource;
  addRoutes(id, body.paths as Obj, routes, to);
  return { ...resource, Properties: { ...resource.Properties, DefinitionBody: body } };
}

function translateRestApi(id: string, resource: Resource, routes: readonly RouteEvent[], to: Translation): void {
  const properties = resource.Properties ?? {};
  checkRestApi(id, properties);
  if (properties.Models !== undefined && properties.DefinitionUri !== undefined)
    throw resourceProblem(id, "Models works only with inline Swagger specified in 'DefinitionBody' property.");
  const version = to.resolver.resolve(properties.OpenApiVersion);
  const generated = properties.DefinitionBody === undefined && properties.DefinitionUri === undefined;
  const attributes = inheritedAttributes(resource);
  const merges = properties.MergeDefinitions === true && isObject(properties.DefinitionBody);
  const made = generated || merges ? definitionOf(properties, routes, to) : {};
  const body = generated
    ? made
    : merges
      ? mergeDefinitions(copy(properties.DefinitionBody as Obj), made)
      : copy(properties.DefinitionBody);
  if (isObject(body)) complete(id, body, properties, routes, to);
  const written = isObject(body) && body.openapi !== undefined ? String(body.openapi) : undefined;
  // The version in a definition takes precedence over the API's property.
  const isOverridden = typeof version === 'string' && version.startsWith('2') && written?.startsWith('3') === true;
  const definition = isObject(body)
    ? inVersion(body, typeof version === 'string' && !isOverridden ? version : written, generated, properties)
    : body;
  if (generated && isObject(definition)) conditionalPaths(id, definition as Obj, routes, to);
  const { Type: _, Properties: __, Condition: ___, Connectors: ____, ...kept } = resource;
  to.add(id, 'AWS::ApiGateway::RestApi', restApi(id, properties, definition, to), { ...attributes, ...kept });
  const tags = properties.PropagateTags === true && isObject(properties.Tags) ? samTags(properties.Tags) : undefined;
  addRestDomain(id, properties.Domain, tags, attributes, to);
  const stageId = addStage(id, resource, properties, definition, version !== undefined, to);
  addUsagePlan(id, properties.Auth, stageId, tags, resource, to);
  authorizerPermissions(id, properties, attributes, to);
}

/** Generates a definition from routes that invoke functions. */
function definitionOf(properties: Obj, routes: readonly RouteEvent[], to: Translation): Obj {
  const paths: Record<string, Obj> = {};
  const body: Obj = { swagger: '2.0', info: { version: '1.0', title: ref('AWS::StackName') }, paths };
  for (const route of routes) {
    try {
      const methods = paths[route.path] ?? {};
      paths[route.path] = methods;
      const key = methodKey(route.method);
      if (methods[key] !== undefined)
        throw eventProblem(route.name, `API method "${route.method}" defined multiple times for path "${route.path}".`);
      const method = methodOf(route, to);
      describeRequest(route, method, body, properties);
      methods[key] = method;
    } catch (error) {
      to.report(error, ownerOf(route));
    }
  }
  return body;
}

function methodOf(route: RouteEvent, to: Translation): Obj {
  const { properties } = route;
  if (isMachine(route.function)) return executionOf(route, to);
  const streams = properties.ResponseTransferMode === 'RESPONSE_STREAM';
  return {
    'x-amazon-apigateway-integration': defined({
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: functionUri(route, to.options.partition, to, streams),
      timeoutInMillis: properties.TimeoutInMillis,
      responseTransferMode: streams ? 'STREAM' : undefined,
    }),
    responses: {},
  };
}

/** Applies the API's properties to a definition. */
function complete(id: string, body: Obj, properties: Obj, routes: readonly RouteEvent[], to: Translation): void {
  const { DisableExecuteApiEndpoint: disabled, Models } = properties;
  const { BinaryMediaTypes, Auth: auth } = properties;
  const isOpenApi3 = body.openapi !== undefined || String(properties.OpenApiVersion).startsWith('3');
  if (disabled !== undefined) checkEndpoint(body);
  if (properties.Cors || auth || isOpenApi3 || properties.GatewayResponses || Models) checkPaths(body);
  if (isObject(auth) && (auth.DefaultAuthorizer || auth.ApiKeyRequired)) checkMethods(body);
  if (isOpenApi3) checkResponses(body);
  if (Array.isArray(BinaryMediaTypes) && BinaryMediaTypes.length)
    body['x-amazon-apigateway-binary-media-types'] = plainSlashes(to.resolver.resolve(BinaryMediaTypes));
  addCors(id, body, properties);
  addAuthorizers(id, body, properties, to);
  const applied = routes.filter((route) => isApplied(route, properties));
  authorize(id, body, properties, applied, routes, to);
  addResponses(id, body, properties);
  if (Models !== undefined) {
    if (properties.DefinitionBody === undefined && !isObject(Models))
      throw resourceProblem(id, should('Models', 'map'));
    if (!isObject(Models) || Object.values(Models).some((model) => !isObject(model)))
      throw resourceProblem(id, "Invalid value for 'Models' property");
    if (!isObject(body.paths))
      throw resourceProblem(
        id,
        "Unable to add Models definitions because 'DefinitionBody' does not contain a valid Swagger definition.",
      );
    body.definitions = Object.fromEntries(Object.entries(Models).map(([name, model]) => [name.toLowerCase(), model]));
  }
  if (disabled !== undefined)
    body['x-amazon-apigateway-endpoint-configuration'] = { disableExecuteApiEndpoint: disabled };
}

function restApi(id: string, properties: Obj, definition: unknown, to: Translation): Obj {
  const {
    DefinitionUri,
    EndpointConfiguration: endpoint,
    BinaryMediaTypes,
    FailOnWarnings,
    PropagateTags,
    Tags,
  } = properties;
  const whole: boolean = isIntrinsic(endpoint);
  const type = isObject(endpoint) && !whole ? (endpoint as Obj).Type : endpoint;
  const vpc = isObject(endpoint) ? (endpoint.VPCEndpointIds ?? endpoint.VpcEndpointIds) : undefined;
  const address = isObject(endpoint) ? endpoint.IpAddressType : undefined;
  return {
    ...pick(properties, [
      'Name',
      'Description',
      'ApiKeySourceType',
      'MinimumCompressionSize',
      'Policy',
      'Mode',
      'EndpointAccessMode',
      'SecurityPolicy',
    ]),
    Body: definition,
    BodyS3Location:
      DefinitionUri === undefined
        ? undefined
        : isIntrinsic(DefinitionUri)
          ? DefinitionUri
          : location(id, 'DefinitionUri', to.resolver.resolve(DefinitionUri), PLAIN),
    BinaryMediaTypes: to.resolver.resolve(BinaryMediaTypes),
    FailOnWarnings,
    EndpointConfiguration:
      endpoint === undefined ? undefined : defined({ Types: [type], VpcEndpointIds: vpc, IpAddressType: address }),
    Parameters: endpoint === undefined ? undefined : { endpointConfigurationTypes: type },
    Tags: PropagateTags === true && isObject(Tags) ? samTags(Tags) : undefined,
  };
}

/** Adds the stage of an API with a deployment of the current definition. */
function addStage(
  id: string,
  resource: Resource,
  properties: Obj,
  definition: unknown,
  plain: boolean,
  to: Translation,
): string {
  const {
    StageName: stage,
    Tags,
    CanarySetting,
    MethodSettings,
    AccessLogSetting,
    Variables,
    TracingEnabled,
  } = properties;
  const hash = digest(definition ?? properties.DefinitionUri);
  const deployment = `${id}Deployment${hash.slice(0, 10)}`;
  const attributes = inheritedAttributes(resource);
  to.add(
    deployment,
    'AWS::ApiGateway::Deployment',
    {
      Description: `RestApi deployment id: ${hash}`,
      RestApiId: ref(id),
      StageName: plain ? undefined : 'Stage',
    },
    attributes,
  );
  const stageId =
    typeof stage === 'string' && !isPlain(stage)
      ? `${id}Stage${shortDigest(stage)}`
      : `${id}${typeof stage === 'string' ? stage : ''}Stage`;
  to.add(
    stageId,
    'AWS::ApiGateway::Stage',
    {
      ...pick(properties, ['CacheClusterEnabled', 'CacheClusterSize']),
      DeploymentId: ref(deployment),
      RestApiId: ref(id),
      StageName: stage,
      CanarySetting,
      MethodSettings,
      AccessLogSetting,
      Variables,
      TracingEnabled,
      Tags: isObject(Tags) ? samTags(Tags) : undefined,
    },
    attributes,
  );
  to.references.add(id, 'Deployment', deployment);
  to.references.add(id, 'Stage', stageId);
  return stageId;
}

/** Grants an API permission to invoke a route's function. */
function permit(route: RouteEvent, apis: ReadonlyMap<string, Resource>, to: Translation): void {
  const { functionId, function: resource, name, path, method } = route;
  // A state machine is started with the event's role.
  if (isMachine(resource)) return;
  const api = apiIdOf(route, IMPLICIT.Api, to);
  const known = api === undefined ? undefined : apis.get(api);
  const alias = to.resolver.resolve(isObject(resource.Properties) ? resource.Properties.AutoPublishAlias : undefined);
  const called = `${method === 'any' ? '*' : method.toUpperCase()}${pathPattern(path)}`;
  const text = requests(to.options.partition, called);
  to.add(
    `${functionId}${name}Permission${stageIn(known)}`,
    'AWS::Lambda::Permission',
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: ref(typeof alias === 'string' ? to.aliasId(functionId, alias) : functionId),
      Principal: servicePrincipalName('apigateway'),
      SourceArn: {
        'Fn::Sub': [text, { __ApiId__: typeof route.api === 'string' ? route.api : ref(api!), __Stage__: '*' }],
      },
    },
    inheritedAttributes(resource),
  );
}

/** Returns the stage in the id of a permission: the API's stage if its name is known. */
function stageIn(api: Resource | undefined): string {
  const stage = isObject(api?.Properties) ? api.Properties.StageName : undefined;
  if (api === undefined) return 'Prod';
  if (typeof stage !== 'string') return 'Stage';
  return isPlain(stage) ? stage : shortDigest(stage);
}

/** Whether a name can be part of an id. */
const isPlain = (name: string): boolean => /^[A-Za-z0-9]*$/.test(name);
