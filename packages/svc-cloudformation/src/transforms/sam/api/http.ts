import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { authorizers as authorizersArn, PARTITION } from '../arns-data.ts';
import { location, PLAIN } from '../code.ts';
import { documentProblem, resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { copy, defined, inheritedAttributes, isIntrinsic, type Obj, pick, type Resource, ref } from '../values.ts';
import { printed, pythonType } from '../words.ts';
import {
  conditionalMethods,
  conditionalPaths,
  implicitCondition,
  implicitPolicies,
  propagatedTags,
} from './conditions.ts';
import { checkMethods, checkPaths, isDefinition } from './definition.ts';
import { addDomainV2 } from './domains.ts';
import { checkEventAuth } from './event-auth.ts';
import { apiIdOf, IMPLICIT, ownerOf, type RouteEvent } from './events.ts';
import { addHttpAuthorizers, authorizeRoute } from './http-auth.ts';
import { addRoutes, DEFAULT, permit } from './routes.ts';

const TYPE = 'AWS::Serverless::HttpApi';
const CREATED_BY = 'httpapi:createdBy';
const TAG_VALUE = 'x-amazon-apigateway-tag-value';

/**
 * Translates the HTTP APIs of a template, including the implicit one.
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

/** @throws SamProblem if routes cannot be added to a definition */
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
  const attributes = inheritedAttributes(resource);
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

/** Returns the definition of an API, its own or generated from its routes, with its properties applied. */
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
  if (!isTaggable(properties) && !routes.length) return body;
  if (!isObject(body.paths)) body.paths = {};
  checkPaths(body);
  if (isObject(properties.Auth) && properties.Auth.DefaultAuthorizer) checkMethods(body);
  const added = addRoutes(id, body.paths as Obj, routes, to);
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
  body.tags = taggedWith(body.tags, { ...(isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' });
  if (given !== undefined) conditionalMethods(body, added);
  // API Gateway warns about a path without a slash.
  if (properties.FailOnWarnings === true) body.paths = renamedDefault(body.paths as Obj);
  return body;
}

/** Whether tags are set on API and stage: only for a definition without Fn::If. */
const isTaggable = ({ DefinitionBody: given, DefinitionUri }: Obj): boolean =>
  DefinitionUri === undefined && (given === undefined || isDefinition(given));

/** Adds tags to a definition; replaces the values of existing names. */
function taggedWith(given: unknown, tags: Obj): Obj[] {
  const known = (Array.isArray(given) ? given : []) as Obj[];
  const valued = known.map((tag) =>
    isObject(tag) && Object.hasOwn(tags, String(tag.name)) ? { ...tag, [TAG_VALUE]: tags[String(tag.name)] } : tag,
  );
  const missing = Object.entries(tags).filter(([name]) => !known.some((tag) => isObject(tag) && tag.name === name));
  return [...valued, ...missing.map(([name, value]) => ({ name, [TAG_VALUE]: value }))];
}

const renamedDefault = (paths: Obj): Obj =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [path === DEFAULT ? `/${DEFAULT}` : path, methods]),
  );

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
      Tags: isTaggable(properties) ? { ...(isObject(Tags) ? Tags : {}), [CREATED_BY]: 'SAM' } : undefined,
    },
    attributes,
  );
  to.references.add(id, 'Stage', stageId);
}

/** Returns the route settings, to which events add their own. */
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

/** Grants an API permission to invoke its authorizer functions, if requested. */
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
        Principal: servicePrincipalName('apigateway'),
        SourceArn: { 'Fn::Sub': [text, { __ApiId__: ref(id) }] },
      },
      attributes,
    );
  }
}
