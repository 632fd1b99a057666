import { authorizers as authorizersArn, CALLERS, invocations } from '../arns-data.ts';
import { documentProblem, eventProblem, resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { defined, isObject, type Obj, ref } from '../values.ts';
import { isMachine, methodKey, ownerOf, type RouteEvent } from './events.ts';
import { pathItems } from './paths.ts';
import { addCustomStatements, addResourcePolicy } from './resource-policy.ts';

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
    if (!isObject(authorizer)) throw resourceProblem(id, `Property 'Authorizers.${name}' should be a map.`);
  return authorizers as Record<string, Obj>;
}

/** Defines the authorizers of an API in its definition. @throws SamProblem */
export function addAuthorizers(id: string, body: Obj, properties: Obj, to: Translation): void {
  const auth = authOf(id, properties);
  if (!auth) return;
  const defs: Obj = {};
  for (const [name, authorizer] of Object.entries(authorizersOf(id, auth)))
    defs[name] = definition(id, name, authorizer, to);
  if (auth.DefaultAuthorizer === SIGNED) defs[SIGNED] = SIGV4;
  if (Object.keys(defs).length) body.securityDefinitions = { ...(body.securityDefinitions as Obj), ...defs };
}

const SIGV4 = { type: 'apiKey', name: 'Authorization', in: 'header', 'x-amazon-apigateway-authtype': 'awsSigv4' };
const API_KEY = { type: 'apiKey', name: 'x-api-key', in: 'header' };

function definition(id: string, name: string, authorizer: Obj, to: Translation): Obj {
  const {
    UserPoolArn,
    FunctionArn,
    FunctionPayloadType: payload,
    FunctionInvokeRole: role,
    Identity: given,
  } = authorizer;
  if (given !== undefined && !isObject(given))
    throw resourceProblem(id, `Property 'Auth.Authorizers.${name}.Identity' should be a map.`);
  const identity = given ?? {};
  const { Header = 'Authorization', ValidationExpression, ReauthorizeEvery } = identity;
  if (UserPoolArn !== undefined)
    return {
      type: 'apiKey',
      name: Header,
      in: 'header',
      'x-amazon-apigateway-authtype': 'cognito_user_pools',
      'x-amazon-apigateway-authorizer': defined({
        type: 'cognito_user_pools',
        providerARNs: Array.isArray(UserPoolArn) ? UserPoolArn : [UserPoolArn],
        identityValidationExpression: ValidationExpression,
      }),
    };
  const request = payload === 'REQUEST';
  const uri = invocations(to.options.partition, '__FunctionArn__');
  return {
    type: 'apiKey',
    name: request ? 'Unused' : Header,
    in: 'header',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': defined({
      type: request ? 'request' : 'token',
      authorizerUri: { 'Fn::Sub': [uri, { __FunctionArn__: FunctionArn }] },
      authorizerCredentials: role === NONE ? undefined : role,
      authorizerResultTtlInSeconds: ReauthorizeEvery,
      identityValidationExpression: request ? undefined : ValidationExpression,
      identitySource: request ? sources(identity) || undefined : undefined,
    }),
  };
}

/** Where a function that authorizes finds the identity. */
function sources({ Headers, QueryStrings, StageVariables, Context }: Obj): string {
  const named = (names: unknown, prefix: string) =>
    Array.isArray(names) ? names.map((name) => `${prefix}.${name}`) : [];
  return [
    ...named(Headers, 'method.request.header'),
    ...named(QueryStrings, 'method.request.querystring'),
    ...named(StageVariables, 'stageVariables'),
    ...named(Context, 'context'),
  ].join(', ');
}

/**
 * Says of each method who may call it.
 * @param routes those that the definition was made of
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
  if (standard !== undefined && standard !== SIGNED && !Object.hasOwn(authorizers, standard))
    throw resourceProblem(
      id,
      `Unable to set DefaultAuthorizer because '${standard}' was not defined in 'Authorizers'.`,
    );
  for (const route of events) {
    const own = isObject(route.properties.Auth) ? route.properties.Auth : {};
    try {
      // The event of a state machine does not know the stage.
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
        const given = route ? ownAuth(route, authorizers, standard) : {};
        const own = { ...given, InvokeRole: Object.hasOwn(given, 'InvokeRole') ? given.InvokeRole : auth.InvokeRole };
        const which = own.Authorizer ?? (options && preflight !== true ? undefined : standard);
        secure(body, method, which, authorizers, own, options);
        const needsKey = own.ApiKeyRequired ?? (keyed === true && !(options && keyless === false));
        if (needsKey === true) requireKey(body, method);
        // A method that needs no key says so, where the API's others do.
        else if (own.ApiKeyRequired === false && keyed === true) method.security ??= [];
        addResourcePolicy(body, policy, path, key, properties.StageName);
      } catch (error) {
        to.report(error, route ? ownerOf(route) : '');
      }
    }
  }
}

const METHODS = /^(?:get|put|post|delete|options|head|patch|x-amazon-apigateway-any-method)$/;

interface OwnAuth {
  readonly Authorizer?: string;
  readonly ApiKeyRequired?: unknown;
  readonly AuthorizationScopes?: unknown;
  readonly InvokeRole?: unknown;
}

function ownAuth(
  { name, method, path, properties }: RouteEvent,
  authorizers: Record<string, Obj>,
  standard: unknown,
): OwnAuth {
  const { Auth: auth } = properties;
  if (!isObject(auth)) return {};
  const { Authorizer } = auth;
  if (Authorizer === undefined || Authorizer === SIGNED) return auth as OwnAuth;
  const on = `on API method [${method}] for path [${path}]`;
  if (Authorizer === NONE) {
    if (!standard)
      throw eventProblem(
        name,
        `Unable to set Authorizer ${on} because 'NONE' is only a valid value when a DefaultAuthorizer on the API is specified.`,
      );
    return auth as OwnAuth;
  }
  if (!Object.keys(authorizers).length)
    throw eventProblem(
      name,
      `Unable to set Authorizer [${Authorizer}] ${on} because the related API does not define any Authorizers.`,
    );
  if (typeof Authorizer !== 'string' || !Object.hasOwn(authorizers, Authorizer))
    throw eventProblem(
      name,
      `Unable to set Authorizer [${Authorizer}] ${on} because it wasn't defined in the API's Authorizers.`,
    );
  return auth as OwnAuth;
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

/** Lets an API call the functions that authorize its callers. */
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
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': [text, { __ApiId__: ref(id) }] },
      },
      attributes,
    );
  }
}
