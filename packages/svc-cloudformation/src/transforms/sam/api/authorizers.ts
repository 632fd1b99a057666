import { isObject } from '@emu/wire';
import { invocations } from '../arns-data.ts';
import { resourceProblem } from '../errors.ts';
import { type ProblemOf, should } from '../expect.ts';
import type { Translation } from '../translation.ts';
import { defined, type Obj, objectOf } from '../values.ts';
import { printed } from '../words.ts';

const NONE = 'NONE';

/** Definition of IAM authorization with signed requests. */
export const SIGV4 = {
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'awsSigv4',
};
/** Definition of API keys. */
export const API_KEY = { type: 'apiKey', name: 'x-api-key', in: 'header' };

/**
 * Builds the definition of a REST API authorizer.
 * @throws SamProblem
 */
export function authorizerDefinition(id: string, name: string, authorizer: Obj, to: Translation): Obj {
  const {
    UserPoolArn,
    FunctionArn,
    FunctionPayloadType: payload,
    FunctionInvokeRole: role,
    Identity: given,
  } = authorizer;
  const identity = checkAuthorizer(id, name, authorizer, given);
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
      authorizerUri: { 'Fn::Sub': [uri, { __FunctionArn__: FunctionArn ?? null }] },
      authorizerCredentials: role === NONE ? undefined : role,
      authorizerResultTtlInSeconds: ReauthorizeEvery,
      identityValidationExpression: request ? undefined : ValidationExpression,
      identitySource: request ? sources(identity) || undefined : undefined,
    }),
  };
}

/**
 * @returns the identity sources
 * @throws SamProblem
 */
function checkAuthorizer(id: string, name: string, authorizer: Obj, given: unknown): Obj {
  const problemOf: ProblemOf = (problem) => resourceProblem(id, problem);
  const { UserPoolArn, FunctionPayloadType: payload, DisableFunctionDefaultPermissions: off } = authorizer;
  const { AuthorizationScopes: scopes } = authorizer;
  if (payload !== undefined && payload !== 'TOKEN' && payload !== 'REQUEST')
    throw problemOf(`${name} Authorizer has invalid 'FunctionPayloadType': ${printed(payload)}.`);
  const isRequest = payload === 'REQUEST' && UserPoolArn === undefined;
  if (given !== undefined && given !== null && !isObject(given))
    throw problemOf(
      isRequest
        ? should(`Authorizer.${name}.Identity`, 'map')
        : 'Auth.Authorizers.<Authorizer>.Identity must be a dict (LambdaTokenAuthorizationIdentity, LambdaRequestAuthorizationIdentity or CognitoAuthorizationIdentity).',
    );
  const identity = objectOf(given);
  checkIdentity(`Auth.Authorizers.${name}`, identity, problemOf);
  if (isRequest && identity.ReauthorizeEvery !== 0 && !IDENTITY.some((member) => identity[member]))
    throw problemOf(
      `${name} Authorizer must specify Identity with at least one of Headers, QueryStrings, StageVariables, or Context.`,
    );
  if (scopes !== undefined && scopes !== null && !Array.isArray(scopes))
    throw problemOf(should(`Authorizers.${name}.AuthorizationScopes`, 'list'));
  if (off !== undefined && off !== null && typeof off !== 'boolean')
    throw problemOf(should(`Authorizers.${name}.DisableFunctionDefaultPermissions`, 'boolean'));
  return identity;
}

const IDENTITY = ['Headers', 'QueryStrings', 'StageVariables', 'Context'];

/**
 * Validates the names of identity sources.
 * @param path of the authorizer
 * @throws SamProblem
 */
export function checkIdentity(path: string, identity: Obj, problemOf: ProblemOf): void {
  for (const member of IDENTITY) {
    const list = identity[member];
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) throw problemOf(should(`${path}.Identity.${member}`, 'list'));
    const wrong = list.findIndex((one) => typeof one !== 'string');
    if (wrong >= 0) throw problemOf(should(`${path}.Identity.${member}[${wrong}]`, 'string'));
  }
}

/** Returns the identity source of an authorizer function. */
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
