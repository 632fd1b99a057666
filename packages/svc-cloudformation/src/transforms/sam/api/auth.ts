import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { authorizers as authorizersArn, CALLERS } from '../arns-data.ts';
import { documentProblem, resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { type Obj, objectOf, ref } from '../values.ts';
import { API_KEY, authorizerDefinition, SIGV4 } from './authorizers.ts';
import { isDefinition } from './definition.ts';
import { isMachine, methodKey, ownerOf, type RouteEvent } from './events.ts';
import { pathItems } from './paths.ts';
import { addCustomStatements, addResourcePolicy } from './resource-policy.ts';

const MEMBERS = [
  'AddApiKeyRequiredToCorsPreflight',
  'AddDefaultAuthorizerToCorsPreflight',
  'ApiKeyRequired',
  'Authorizers',
  'DefaultAuthorizer',
  'InvokeRole',
  'ResourcePolicy',
  'UsagePlan',
];

const SIGNED = 'AWS_IAM';
const NONE = 'NONE';

const authOf = (id: string, { Auth: auth }: Obj): Obj | undefined => {
  if (auth === undefined || auth === null) return undefined;
  if (!isObject(auth)) throw resourceProblem(id, "Property 'Auth' should be a map.");
  return auth;
};

function authorizersOf(id: string, auth: Obj): Record<string, Obj> {
  const { Authorizers: authorizers = {} } = auth;
  if (!isObject(authorizers)) throw resourceProblem(id, "Property 'Auth.Authorizers' should be a map.");
  for (const [name, authorizer] of Object.entries(authorizers))
    if (!isObject(authorizer)) throw resourceProblem(id, `Property 'Auth.Authorizers.${name}' should be a map.`);
  return authorizers as Record<string, Obj>;
}

/**
 * Adds the authorizers of an API to its definition.
 * @throws SamProblem
 */
export function addAuthorizers(id: string, body: Obj, properties: Obj, to: Translation): void {
  const auth = authOf(id, properties);
  if (!auth || !Object.keys(auth).length) return;
  if (Object.keys(auth).some((name) => !MEMBERS.includes(name)))
    throw resourceProblem(id, "Invalid value for 'Auth' property");
  if (!isDefinition(body))
    throw resourceProblem(
      id,
      "Unable to add Auth configuration because 'DefinitionBody' does not contain a valid Swagger definition.",
    );
  const { securityDefinitions } = body;
  const adds =
    auth.ApiKeyRequired || auth.DefaultAuthorizer === SIGNED || Object.keys(objectOf(auth.Authorizers)).length;
  if (adds && securityDefinitions && !isObject(securityDefinitions))
    throw documentProblem('securityDefinitions must be a dictionary.');
  const defs: Obj = {};
  for (const [name, authorizer] of Object.entries(authorizersOf(id, auth)))
    defs[name] = authorizerDefinition(id, name, authorizer, to);
  if (auth.DefaultAuthorizer === SIGNED) defs[SIGNED] = SIGV4;
  if (auth.ApiKeyRequired === true) defs.api_key = API_KEY;
  if (Object.keys(defs).length) body.securityDefinitions = { ...(body.securityDefinitions as Obj), ...defs };
}

/**
 * Adds authorization to each method.
 * @param routes routes of the definition
 * @param events all routes of the API
 * @throws SamProblem
 */
export function authorize(
  id: string,
  body: Obj,
  properties: Obj,
  routes: readonly RouteEvent[],
  events: readonly RouteEvent[],
  to: Translation,
): void {
  const auth = authOf(id, properties) ?? {};
  const authorizers = authorizersOf(id, auth);
  const {
    DefaultAuthorizer: standard,
    ApiKeyRequired: keyed,
    AddDefaultAuthorizerToCorsPreflight: preflight = true,
    AddApiKeyRequiredToCorsPreflight: keyless,
  } = auth;
  if (standard !== undefined && typeof standard !== 'string')
    throw resourceProblem(id, 'DefaultAuthorizer is not a string.');
  const applies = standard === SIGNED || Object.keys(authorizers).length > 0;
  if (applies && standard !== undefined && standard !== SIGNED && !Object.hasOwn(authorizers, standard))
    throw resourceProblem(
      id,
      `Unable to set DefaultAuthorizer because '${standard}' was not defined in 'Authorizers'.`,
    );
  for (const route of events) {
    const own = isObject(route.properties.Auth) ? route.properties.Auth : {};
    try {
      // Events of state machines have no stage.
      const stage = isMachine(route.function) ? undefined : properties.StageName;
      const policy = to.resolver.resolve(own.ResourcePolicy);
      addResourcePolicy(body, policy, route.path, methodKey(route.method), stage);
      addCustomStatements(body, policy);
    } catch (error) {
      to.report(error, ownerOf(route));
    }
  }
  const policy = to.resolver.resolve(auth.ResourcePolicy);
  if (policy !== undefined && policy !== null && !isObject(policy))
    throw documentProblem('ResourcePolicy must be a map (ResourcePolicyStatement).');
  addCustomStatements(body, policy);
  for (const [path, methods] of pathItems(body)) {
    for (const [key, method] of Object.entries(methods)) {
      if (!isObject(method) || !METHODS.test(key)) continue;
      const route = routes.find((candidate) => candidate.path === path && methodKey(candidate.method) === key);
      const options = key === 'options';
      try {
        const given: OwnAuth = route && isObject(route.properties.Auth) ? route.properties.Auth : {};
        const own = { ...given, InvokeRole: Object.hasOwn(given, 'InvokeRole') ? given.InvokeRole : auth.InvokeRole };
        const which = own.Authorizer ?? (!applies || (options && preflight !== true) ? undefined : standard);
        secure(body, method, which, authorizers, own, options);
        const needsKey = own.ApiKeyRequired ?? (keyed === true && !(options && keyless === false));
        if (needsKey === true) requireKey(body, method);
        // A method without a key must say so if the API requires keys by default.
        else if (own.ApiKeyRequired === false && keyed === true) method.security ??= [];
        addResourcePolicy(body, policy, path, key, properties.StageName);
      } catch (error) {
        to.report(error, route ? ownerOf(route) : '');
      }
    }
  }
}

const METHODS = /^(?:get|put|post|delete|options|head|patch|any|x-amazon-apigateway-any-method)$/;

interface OwnAuth {
  readonly Authorizer?: string;
  readonly ApiKeyRequired?: unknown;
  readonly AuthorizationScopes?: unknown;
  readonly InvokeRole?: unknown;
}

function secure(
  body: Obj,
  method: Obj,
  which: unknown,
  authorizers: Record<string, Obj>,
  own: OwnAuth,
  options: boolean,
): void {
  if (typeof which !== 'string') return;
  const given = Array.isArray(method.security) ? method.security : [];
  if (given.some((entry) => isObject(entry) && Object.keys(entry).some((name) => Object.hasOwn(authorizers, name))))
    return;
  const { AuthorizationScopes: shared } = authorizers[which] ?? {};
  const scopes = own.AuthorizationScopes ?? shared ?? [];
  if (which === NONE && given.length) return;
  method.security = [...given, { [which]: which === NONE || which === SIGNED ? [] : scopes }];
  if (which !== SIGNED) return;
  body.securityDefinitions = { ...(body.securityDefinitions as Obj), [SIGNED]: SIGV4 };
  const integration = method['x-amazon-apigateway-integration'];
  const { InvokeRole = 'CALLER_CREDENTIALS' } = own;
  if (options || !isObject(integration) || InvokeRole === NONE || InvokeRole === null) return;
  integration.credentials = InvokeRole === 'CALLER_CREDENTIALS' ? CALLERS : InvokeRole;
}

function requireKey(body: Obj, method: Obj): void {
  body.securityDefinitions = { ...(body.securityDefinitions as Obj), api_key: API_KEY };
  method.security = [...(Array.isArray(method.security) ? method.security : []), { api_key: [] }];
}

/** Grants an API permission to invoke its authorizer functions. */
export function authorizerPermissions(id: string, properties: Obj, attributes: Obj, to: Translation): void {
  const auth = authOf(id, properties);
  if (!auth) return;
  for (const [name, { FunctionArn, UserPoolArn, DisableFunctionDefaultPermissions: off }] of Object.entries(
    authorizersOf(id, auth),
  )) {
    if (FunctionArn === undefined || UserPoolArn !== undefined || off === true) continue;
    const text = authorizersArn(to.options.partition);
    to.add(
      `${id}${name}AuthorizerPermission`,
      'AWS::Lambda::Permission',
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: FunctionArn,
        Principal: servicePrincipalName('apigateway'),
        SourceArn: { 'Fn::Sub': [text, { __ApiId__: ref(id) }] },
      },
      attributes,
    );
  }
}
