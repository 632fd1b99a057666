import { isObject } from '@emu/wire';
import { invocations } from '../arns-data.ts';
import { documentProblem, resourceProblem } from '../errors.ts';
import { mapOf, type ProblemOf, should } from '../expect.ts';
import type { Translation } from '../translation.ts';
import { defined, type Obj } from '../values.ts';
import { checkIdentity } from './authorizers.ts';
import { methodKey, type RouteEvent } from './events.ts';
import { pathItems } from './paths.ts';

const SIGNED = 'AWS_IAM';
const NONE = 'NONE';

const authOf = (id: string, { Auth: auth }: Obj): Obj => {
  if (auth === undefined || auth === null) return {};
  if (!isObject(auth)) throw resourceProblem(id, "Property 'Auth' should be a map.");
  return auth;
};

function authorizersOf(id: string, { Authorizers: authorizers = {} }: Obj): Record<string, Obj> {
  if (!isObject(authorizers)) throw resourceProblem(id, "Property 'Auth.Authorizers' should be a map.");
  for (const [name, authorizer] of Object.entries(authorizers))
    if (!isObject(authorizer)) throw resourceProblem(id, `Property 'Auth.Authorizers.${name}' should be a map.`);
  return authorizers as Record<string, Obj>;
}

/**
 * Adds the authorizers of an HTTP API to its definition.
 * @throws SamProblem
 */
export function addHttpAuthorizers(id: string, body: Obj, properties: Obj, to: Translation): void {
  const auth = authOf(id, properties);
  const made: Obj = {};
  for (const [name, authorizer] of Object.entries(authorizersOf(id, auth)))
    made[name] = definition(id, name, authorizer, to);
  if (auth.EnableIamAuthorizer === true) made[SIGNED] ??= SIGV4;
  if (!Object.keys(made).length) return;
  const components = isObject(body.components) ? body.components : {};
  body.components = { ...components, securitySchemes: { ...(components.securitySchemes as Obj), ...made } };
}

const SIGV4 = { type: 'apiKey', name: 'Authorization', in: 'header', 'x-amazon-apigateway-authtype': 'awsSigv4' };

/** Properties allowed only for Lambda authorizers. */
const LAMBDA = ['AuthorizerPayloadFormatVersion', 'EnableSimpleResponses', 'FunctionInvokeRole', 'Identity'];

function definition(id: string, name: string, authorizer: Obj, to: Translation): Obj {
  const { FunctionArn, FunctionInvokeRole, JwtConfiguration: jwt, IdentitySource, OpenIdConnectUrl } = authorizer;
  const problemOf: ProblemOf = (problem) => resourceProblem(id, problem);
  if (FunctionArn === undefined) {
    if (OpenIdConnectUrl !== undefined)
      throw problemOf(
        `'OpenIdConnectUrl' is no longer a supported property for authorizer '${name}'. Please refer to the AWS SAM documentation.`,
      );
    if (LAMBDA.some((member) => authorizer[member] !== undefined))
      throw problemOf(`${name} Lambda Authorizer must define 'FunctionArn'.`);
    if (authorizer.EnableFunctionDefaultPermissions !== undefined)
      throw problemOf('EnableFunctionDefaultPermissions is only supported for Lambda Authorizer.');
    if (jwt && !isObject(jwt)) throw problemOf(should('JwtConfiguration', 'map'));
    if (!isObject(jwt)) throw resourceProblem(id, `${name} OAuth2 Authorizer must define 'JwtConfiguration'.`);
    if (!IdentitySource) throw resourceProblem(id, `${name} OAuth2 Authorizer must define 'IdentitySource'.`);
    const jwtConfiguration = Object.fromEntries(Object.entries(jwt).map(([key, value]) => [key.toLowerCase(), value]));
    return {
      type: 'oauth2',
      'x-amazon-apigateway-authorizer': { jwtConfiguration, identitySource: IdentitySource, type: 'jwt' },
    };
  }
  const { AuthorizerPayloadFormatVersion: version, EnableSimpleResponses } = authorizer;
  if (version === undefined)
    throw resourceProblem(id, `${name} Lambda Authorizer must define 'AuthorizerPayloadFormatVersion'.`);
  const { Identity = {}, EnableFunctionDefaultPermissions: permits } = authorizer;
  const identity = mapOf(Identity ?? {}, `Auth.Authorizers.${name}.Identity`, problemOf);
  checkIdentity(`Authorizers.${name}`, identity, problemOf);
  if (permits !== undefined && typeof permits !== 'boolean')
    throw problemOf(should(`Authorizers.${name}.EnableFunctionDefaultPermissions`, 'boolean'));
  const uri = invocations(to.options.partition, '__FunctionArn__');
  return {
    type: 'apiKey',
    name: 'Unused',
    in: 'header',
    'x-amazon-apigateway-authorizer': defined({
      type: 'request',
      authorizerUri: { 'Fn::Sub': [uri, { __FunctionArn__: FunctionArn }] },
      authorizerCredentials: FunctionInvokeRole === NONE ? undefined : FunctionInvokeRole,
      authorizerPayloadFormatVersion: version,
      authorizerResultTtlInSeconds: identity.ReauthorizeEvery,
      enableSimpleResponses: EnableSimpleResponses || undefined,
      identitySource: sources(identity),
    }),
  };
}

function sources({ Headers, QueryStrings, StageVariables, Context }: Obj): string[] | undefined {
  const named = (names: unknown, prefix: string) =>
    Array.isArray(names) ? names.map((name) => `${prefix}.${name}`) : [];
  const all = [
    ...named(Headers, '$request.header'),
    ...named(QueryStrings, '$request.querystring'),
    ...named(StageVariables, '$stageVariables'),
    ...named(Context, '$context'),
  ];
  return all.length ? all : undefined;
}

/**
 * Adds authorization to each route.
 * @throws SamProblem
 */
export function authorizeRoute(id: string, body: Obj, properties: Obj, routes: readonly RouteEvent[]): void {
  const auth = authOf(id, properties);
  const authorizers = authorizersOf(id, auth);
  const signed = auth.EnableIamAuthorizer === true;
  const { DefaultAuthorizer: standard } = auth;
  if (standard !== undefined && typeof standard !== 'string')
    throw resourceProblem(id, should('Auth.DefaultAuthorizer', 'string'));
  if (standard !== undefined && !Object.hasOwn(authorizers, standard) && !(standard === SIGNED && signed))
    throw resourceProblem(
      id,
      `Unable to set DefaultAuthorizer because '${standard}' was not defined in 'Authorizers'.`,
    );
  for (const [path, methods] of pathItems(body)) {
    for (const [key, method] of Object.entries(methods)) {
      if (!isObject(method) || key === 'options') continue;
      if (standard !== undefined && key === 'any')
        throw documentProblem(`Could not find x-amazon-apigateway-any-method in ${path} within DefinitionBody.`);
      const route = routes.find((candidate) => candidate.path === path && methodKey(candidate.method) === key);
      secure(method, route, authorizers, standard);
    }
  }
}

function secure(method: Obj, route: RouteEvent | undefined, authorizers: Record<string, Obj>, standard: unknown): void {
  const own = route && isObject(route.properties.Auth) ? route.properties.Auth : {};
  const which = own.Authorizer ?? (method.security === undefined ? standard : undefined);
  if (which === undefined) return;
  if (which === NONE) {
    method.security = [{ [NONE]: [] }];
    return;
  }
  const scopes =
    which === SIGNED && (own.Authorizer === SIGNED || !Object.hasOwn(authorizers, SIGNED))
      ? []
      : (own.AuthorizationScopes ?? authorizers[which as string]?.AuthorizationScopes ?? []);
  method.security = [{ [which as string]: scopes }];
}
