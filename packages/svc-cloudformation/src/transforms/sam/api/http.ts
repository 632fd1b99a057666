import { authorizers as authorizersArn, PARTITION, requests } from '../arns-data.ts';
import { location, PLAIN } from '../code.ts';
import { documentProblem, resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { copy, defined, handedOn, isIntrinsic, isObject, type Obj, pick, type Resource, ref } from '../values.ts';
import { printed, pythonType } from '../words.ts';
import { conditionalPaths, implicitCondition, implicitPolicies, propagatedTags } from './conditions.ts';
import { checkMethods, checkPaths, isDefinition } from './definition.ts';
import { addDomainV2 } from './domains.ts';
import { checkEventAuth } from './event-auth.ts';
import { apiIdOf, IMPLICIT, methodKey, ownerOf, pathPattern, type RouteEvent } from './events.ts';
import { addHttpAuthorizers, authorizeRoute } from './http-auth.ts';
import { functionUri } from './rest.ts';

const TYPE = 'AWS::Serverless::HttpApi';
const DEFAULT = '$default';
const CREATED_BY = 'httpapi:createdBy';

/**
 * Translates the HTTP APIs of a template, the implicit one among them.
 * @param all the routes of all HTTP APIs
 */
export function translateHttpApis(all: readonly RouteEvent[], to: Translation): void {
  const routes = all.filter(({ functionId }) => !to.refused.has(functionId));
  const apis = new Map(Object.entries(to.resources).filter(([, { Type }]) => Type === TYPE));
  const own = routes.filter(({ api }) => api === undefined);
  if (own.length && !apis.has(IMPLICIT.HttpApi)) apis.set(IMPLICIT.HttpApi, implicitApi(own, to));
  for (const route of routes) {
    const api = apiIdOf(route, IMPLICIT.HttpApi, to);
    const properties = api === undefined ? undefined : apis.get(api)?.Properties;
    if (!properties || properties.DefinitionUri !== undefined) continue;
    const work = () => {
      checkBody(api!, properties);
      checkEventAuth(route, api!, properties.Auth, 'HttpApi', to);
    };
    to.translate(route.functionId, work, ownerOf(route));
  }
  for (const [id, resource] of apis) {
    const mine = routes.filter(
      (route) => !to.refused.has(route.functionId) && apiIdOf(route, IMPLICIT.HttpApi, to) === id,
    );
    to.translate(id, () => translateHttpApi(id, resource, mine, to));
  }
}

/** @throws SamProblem where a definition is none that routes can be added to */
function checkBody(id: string, { DefinitionBody: body }: Obj): void {
  if (body === undefined || isDefinition(body)) return;
  throw resourceProblem(
    id,
    "Structure of the SAM template is invalid. Invalid OpenApi document. Invalid values or missing keys for 'openapi' or 'paths' in 'DefinitionBody'.",
  );
}

function implicitApi(routes: readonly RouteEvent[], to: Translation): Resource {
  const Condition = implicitCondition(IMPLICIT.HttpApi, routes, to);
  const Properties = { ...to.globals.get(TYPE), ...propagatedTags(routes) };
  return defined({ Type: TYPE, Properties, Condition, ...implicitPolicies(routes) }) as unknown as Resource;
}

function translateHttpApi(id: string, resource: Resource, routes: readonly RouteEvent[], to: Translation): void {
  const properties = resource.Properties ?? {};
  check(id, properties);
  const attributes = handedOn(resource);
  const { DefinitionUri } = properties;
  const { Type: _, Properties: __, Condition: ___, Connectors: ____, ...kept } = resource;
  const body = DefinitionUri === undefined ? bodyOf(id, properties, routes, to) : undefined;
  if (body && properties.DefinitionBody === undefined) conditionalPaths(id, body, routes, to);
  to.add(
    id,
    'AWS::ApiGatewayV2::Api',
    {
      Body: body,
      BodyS3Location:
        DefinitionUri === undefined
          ? undefined
          : isIntrinsic(DefinitionUri)
            ? DefinitionUri
            : location(id, 'DefinitionUri', to.resolver.resolve(DefinitionUri), PLAIN),
      ...pick(properties, body ? ['FailOnWarnings'] : ['FailOnWarnings', 'DisableExecuteApiEndpoint']),
    },
    { ...attributes, ...kept },
  );
  const { PropagateTags, Tags } = properties;
  const tags = { ...(PropagateTags === true && isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' };
  addDomainV2(id, properties.Domain, tags, attributes, to);
  addStage(id, properties, routes, attributes, to);
  permitAuthorizers(id, properties, attributes, to);
  if (DefinitionUri !== undefined) for (const route of routes) permit(id, route, to);
}

function check(id: string, properties: Obj): void {
  if (properties.DisableExecuteApiEndpoint !== undefined && properties.DefinitionUri !== undefined)
    throw resourceProblem(id, "DisableExecuteApiEndpoint works only within 'DefinitionBody' property.");
  const { DefinitionBody, DefinitionUri, CorsConfiguration, Tags } = properties;
  if (DefinitionBody !== undefined && DefinitionUri !== undefined)
    throw resourceProblem(id, "Specify either 'DefinitionUri' or 'DefinitionBody' property and not both.");
  if (DefinitionBody !== undefined && !isObject(DefinitionBody))
    throw resourceProblem(id, "Property 'DefinitionBody' should be a map.");
  if (DefinitionUri !== undefined && CorsConfiguration !== undefined)
    throw resourceProblem(id, "Cors works only with inline OpenApi specified in 'DefinitionBody' property.");
  if (DefinitionUri !== undefined && Tags !== undefined)
    throw resourceProblem(id, "Tags works only with inline OpenApi specified in the 'DefinitionBody' property.");
}

/** The definition of an API: its own, or that of its routes, with what its properties say. */
function bodyOf(id: string, properties: Obj, routes: readonly RouteEvent[], to: Translation): Obj {
  const { DefinitionBody: given, Name, Description, Tags, CorsConfiguration: cors } = properties;
  const body: Obj = isObject(given)
    ? copy(given)
    : { openapi: '3.0.1', info: { version: '1.0', title: ref('AWS::StackName') }, paths: {} };
  if (given !== undefined && Tags !== undefined && !isDefinition(body))
    throw resourceProblem(
      id,
      "Unable to add `Tags` because 'DefinitionBody' does not contain a valid OpenApi definition.",
    );
  if (body.tags !== undefined && !Array.isArray(body.tags))
    throw documentProblem(
      `Tags in OpenApi DefinitionBody needs to be a list. ${printed(body.tags)} is a ${pythonType(body.tags)} not a list.`,
    );
  if (!isObject(body.paths)) body.paths = {};
  checkPaths(body);
  if (isObject(properties.Auth) && properties.Auth.DefaultAuthorizer) checkMethods(body);
  const covered = coveredBy(routes);
  for (const route of routes) addRoute(id, body.paths as Obj, route, covered.has(route), to);
  const info = isObject(body.info) ? body.info : {};
  if (Name !== undefined || Description !== undefined) body.info = info;
  if (Name !== undefined) info.title = Name;
  if (Description !== undefined) info.description = Description;
  const { DisableExecuteApiEndpoint: disabled } = properties;
  if (disabled !== undefined && disabled !== null) {
    const [first, ...others] = Array.isArray(body.servers) && body.servers.length ? body.servers : [{}];
    const known = isObject(first) ? first : {};
    body.servers = [
      {
        ...known,
        'x-amazon-apigateway-endpoint-configuration': {
          ...(known['x-amazon-apigateway-endpoint-configuration'] as Obj),
          disableExecuteApiEndpoint: disabled,
        },
      },
      ...others,
    ];
  }
  addHttpAuthorizers(id, body, properties, to);
  authorizeRoute(id, body, properties, routes);
  if (cors !== undefined && cors !== false) body['x-amazon-apigateway-cors'] = corsOf(id, to.resolver.resolve(cors));
  const tags = { ...(isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' };
  body.tags = [
    ...(Array.isArray(body.tags) ? body.tags : []),
    ...Object.entries(tags).map(([name, value]) => ({ name, 'x-amazon-apigateway-tag-value': value })),
  ];
  // API Gateway warns of a path without a slash.
  if (properties.FailOnWarnings === true) body.paths = renamedDefault(body.paths as Obj);
  return body;
}

const renamedDefault = (paths: Obj): Obj =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [path === DEFAULT ? `/${DEFAULT}` : path, methods]),
  );

/** Routes to functions that the API's default route calls too: the permission for that is one for them. */
function coveredBy(routes: readonly RouteEvent[]): ReadonlySet<RouteEvent> {
  const byDefault = new Set(routes.filter(({ path }) => path === DEFAULT).map(({ functionId }) => functionId));
  return new Set(routes.filter(({ functionId, path }) => path !== DEFAULT && byDefault.has(functionId)));
}

function addRoute(id: string, paths: Obj, route: RouteEvent, isCovered: boolean, to: Translation): void {
  const { path, method, properties } = route;
  const key = methodKey(method);
  const methods = (isObject(paths[path]) ? paths[path] : {}) as Obj;
  paths[path] = methods;
  const existing = isObject(methods[key]) ? methods[key] : undefined;
  const { TimeoutInMillis, PayloadFormatVersion } = properties;
  const integrated = existing?.['x-amazon-apigateway-integration'];
  if (isObject(integrated)) {
    if (TimeoutInMillis !== undefined) integrated.timeoutInMillis = TimeoutInMillis;
    if (PayloadFormatVersion !== undefined) integrated.payloadFormatVersion = PayloadFormatVersion;
    return;
  }
  const definition: Obj = existing ?? {};
  definition['x-amazon-apigateway-integration'] = defined({
    type: 'aws_proxy',
    httpMethod: 'POST',
    payloadFormatVersion: PayloadFormatVersion ?? '2.0',
    uri: functionUri(route, PARTITION, to),
    timeoutInMillis: TimeoutInMillis,
  });
  definition.responses ??= {};
  if (path === DEFAULT) definition.isDefaultRoute = true;
  const parameters = parametersOf(path, definition.parameters);
  if (parameters.length) definition.parameters = parameters;
  methods[key] = definition;
  if (!isCovered) permit(id, route, to);
}

/** The parameters in a path, each of which is required. */
function parametersOf(path: string, given: unknown): Obj[] {
  const known = (Array.isArray(given) ? given.filter(isObject) : []).map((parameter) =>
    parameter.in === 'path' ? { ...parameter, required: true } : parameter,
  ) as Obj[];
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  const missing = names.filter((name) => !known.some((parameter) => parameter.name === name));
  return [...known, ...missing.map((name) => ({ name, in: 'path', required: true }))];
}

const CORS: Readonly<Record<string, string>> = {
  AllowCredentials: 'allowCredentials',
  AllowHeaders: 'allowHeaders',
  AllowMethods: 'allowMethods',
  AllowOrigins: 'allowOrigins',
  ExposeHeaders: 'exposeHeaders',
  MaxAge: 'maxAge',
};

function corsOf(id: string, cors: unknown): unknown {
  if (cors === true) return { allowOrigins: ['*'] };
  if (!isObject(cors)) throw resourceProblem(id, "Invalid value for 'CorsConfiguration' property.");
  const branches = cors['Fn::If'];
  if (Array.isArray(branches))
    return {
      'Fn::If': branches.map((branch, index) =>
        index && isObject(branch) && !isIntrinsic(branch) ? corsOf(id, branch) : branch,
      ),
    };
  if (isIntrinsic(cors)) return cors;
  const made: Obj = {};
  for (const [name, value] of Object.entries(cors)) {
    if (!CORS[name]) throw resourceProblem(id, `Invalid key '${name}' for 'Cors' property.`);
    if (value !== false) made[CORS[name]!] = value;
  }
  return made;
}

function addStage(id: string, properties: Obj, routes: readonly RouteEvent[], attributes: Obj, to: Translation): void {
  const { StageName: stage, StageVariables, AccessLogSettings, DefaultRouteSettings, RouteSettings, Tags } = properties;
  const { DefinitionUri } = properties;
  const name = typeof stage === 'string' ? stage.replace(/[^A-Za-z0-9]/g, '') : '';
  const isDefault = stage === undefined || stage === DEFAULT;
  const stageId = isDefault ? `${id}ApiGatewayDefaultStage` : `${id}${name}Stage`;
  to.add(
    stageId,
    'AWS::ApiGatewayV2::Stage',
    {
      ApiId: ref(id),
      StageName: isDefault ? DEFAULT : stage,
      AutoDeploy: true,
      StageVariables,
      AccessLogSettings,
      DefaultRouteSettings,
      RouteSettings: routeSettings(RouteSettings, routes),
      Tags: DefinitionUri === undefined ? { ...(isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' } : undefined,
    },
    attributes,
  );
  to.references.add(id, 'Stage', stageId);
}

/** The settings of routes, to which events add those of their own. */
function routeSettings(given: unknown, routes: readonly RouteEvent[]): unknown {
  const made: Obj = {};
  for (const { path, method, properties, function: resource } of routes) {
    const { RouteSettings: own } = properties;
    if (!isObject(own)) continue;
    const key = path === DEFAULT ? DEFAULT : `${method === 'any' ? 'ANY' : method.toUpperCase()} ${path}`;
    const known = isObject(given) ? given[key] : undefined;
    const settings = isObject(known) ? { ...known, ...own } : own;
    const { Condition } = resource;
    made[key] = Condition === undefined ? settings : { 'Fn::If': [Condition, settings, ref('AWS::NoValue')] };
  }
  return Object.keys(made).length ? { ...(isObject(given) ? given : {}), ...made } : given;
}

/** Lets an API call the function of a route. */
function permit(id: string, route: RouteEvent, to: Translation): void {
  const { functionId, function: resource, name, path, method } = route;
  const alias = to.resolver.resolve(isObject(resource.Properties) ? resource.Properties.AutoPublishAlias : undefined);
  const called =
    path === DEFAULT
      ? '*'
      : path === `/${DEFAULT}`
        ? DEFAULT
        : `${method === 'any' ? '*' : method.toUpperCase()}${pathPattern(path)}`;
  const text = requests(PARTITION, called);
  to.add(
    `${functionId}${name}Permission`,
    'AWS::Lambda::Permission',
    {
      Action: 'lambda:InvokeFunction',
      FunctionName: ref(typeof alias === 'string' ? to.aliasId(functionId, alias) : functionId),
      Principal: 'apigateway.amazonaws.com',
      SourceArn: {
        'Fn::Sub': [text, { __ApiId__: typeof route.api === 'string' ? route.api : ref(id), __Stage__: '*' }],
      },
    },
    handedOn(resource),
  );
}

/** Lets an API call the functions that authorize its callers, where that is asked for. */
function permitAuthorizers(id: string, { Auth: auth }: Obj, attributes: Obj, to: Translation): void {
  const authorizers = isObject(auth) && isObject(auth.Authorizers) ? auth.Authorizers : {};
  for (const [name, authorizer] of Object.entries(authorizers)) {
    if (!isObject(authorizer) || authorizer.FunctionArn === undefined) continue;
    if (authorizer.EnableFunctionDefaultPermissions !== true) continue;
    const text = authorizersArn(PARTITION);
    to.add(
      `${id}${name}AuthorizerPermission`,
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: authorizer.FunctionArn,
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': [text, { __ApiId__: ref(id) }] },
      },
      attributes,
    );
  }
}
