import { missingSchemas, versionText } from '@emu/apigateway-common';
import type { Cors, IntegrationType } from '@emu/service-types/apigatewayv2';
import { isObject } from '@emu/wire';
import { badRequest } from '../errors.ts';
import type { AuthorizerSettings } from '../validation/authorizer.ts';
import type { IntegrationSettings } from '../validation/integration.ts';
import { mapOf, memberText, type Node, nodeOf, resolved, textsOf } from './document.ts';

/** Authorization of a route in a definition. */
export interface DefinedAuthorization {
  readonly type: 'NONE' | 'AWS_IAM' | 'JWT' | 'CUSTOM';
  /** Name of the authorizer. */
  readonly authorizer?: string;
  readonly scopes?: string[];
}

/** A route in a definition. */
export interface DefinedRoute {
  readonly key: string;
  readonly operationName: string | undefined;
  readonly integration: IntegrationSettings | undefined;
  readonly authorization: DefinedAuthorization;
}

/** An API in a definition. */
export interface Definition {
  readonly name: string;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly cors: Cors | undefined;
  readonly tags: Record<string, string>;
  readonly disablesEndpoint: boolean;
  readonly authorizers: readonly AuthorizerSettings[];
  readonly routes: readonly DefinedRoute[];
  readonly warnings: readonly string[];
}

/** Treatment of the path of a definition's server. */
export type BasePath = 'ignore' | 'prepend' | 'split';

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  put: 'PUT',
  post: 'POST',
  delete: 'DELETE',
  options: 'OPTIONS',
  head: 'HEAD',
  patch: 'PATCH',
  'x-amazon-apigateway-any-method': 'ANY',
};
const DEFAULT_PATH = '/$default';

/** Returns the members of a document that have values. */
const given = <T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

const numberOf = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

function corsOf(value: unknown): Cors | undefined {
  if (!isObject(value)) return undefined;
  return given({
    AllowOrigins: textsOf(value.allowOrigins),
    AllowMethods: textsOf(value.allowMethods),
    AllowHeaders: textsOf(value.allowHeaders),
    ExposeHeaders: textsOf(value.exposeHeaders),
    MaxAge: numberOf(value.maxAge),
    AllowCredentials: value.allowCredentials as boolean | undefined,
  });
}

/** Returns the authorizer in a security scheme's extension; undefined if it has none. */
function authorizerOf(Name: string, scheme: Node): AuthorizerSettings | undefined {
  const extension = scheme['x-amazon-apigateway-authorizer'];
  if (!isObject(extension)) return undefined;
  const source = extension.identitySource;
  const IdentitySource =
    textsOf(source) ??
    (memberText(source) ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const jwt = nodeOf(extension.jwtConfiguration);
  const isJwt = extension.type === 'jwt';
  if (!isJwt && extension.type !== 'request')
    throw badRequest(`Unsupported authorizer type: ${memberText(extension.type)}`);
  return {
    Name,
    AuthorizerType: isJwt ? 'JWT' : 'REQUEST',
    IdentitySource,
    ...(isJwt && { JwtConfiguration: given({ Audience: textsOf(jwt.audience), Issuer: memberText(jwt.issuer) }) }),
    ...given({
      AuthorizerUri: memberText(extension.authorizerUri),
      AuthorizerCredentialsArn: memberText(extension.authorizerCredentials),
      AuthorizerPayloadFormatVersion: versionText(extension.authorizerPayloadFormatVersion),
      AuthorizerResultTtlInSeconds: numberOf(extension.authorizerResultTtlInSeconds),
      EnableSimpleResponses: extension.enableSimpleResponses as boolean | undefined,
    }),
  };
}

function integrationOf(document: Node, value: unknown): IntegrationSettings | undefined {
  const extension = resolved(document, value);
  if (!isObject(extension)) return undefined;
  const responses = Object.entries(nodeOf(extension.responseParameters)).map(
    ([status, mappings]) => [status, mapOf(mappings) ?? {}] as const,
  );
  return {
    IntegrationType: (memberText(extension.type) ?? '').toUpperCase() as IntegrationType,
    ...given({
      ConnectionId: memberText(extension.connectionId),
      ConnectionType: memberText(extension.connectionType) as 'INTERNET' | 'VPC_LINK' | undefined,
      CredentialsArn: memberText(extension.credentials),
      Description: memberText(extension.description),
      IntegrationMethod: memberText(extension.httpMethod),
      IntegrationSubtype: memberText(extension.integrationSubtype),
      IntegrationUri: memberText(extension.uri),
      PayloadFormatVersion: versionText(extension.payloadFormatVersion),
      RequestParameters: mapOf(extension.requestParameters),
      ResponseParameters: responses.length > 0 ? Object.fromEntries(responses) : undefined,
      TimeoutInMillis: numberOf(extension.timeoutInMillis),
    }),
  };
}

/** Returns the authorization of an operation: the first supported requirement. */
function authorizationOf(document: Node, operation: Node, schemes: Node, warnings: string[]): DefinedAuthorization {
  const security = operation.security ?? document.security;
  for (const requirement of Array.isArray(security) ? security : [])
    for (const [name, scopes] of Object.entries(nodeOf(requirement))) {
      const scheme = nodeOf(resolved(document, schemes[name]));
      if (scheme['x-amazon-apigateway-authtype'] === 'awsSigv4') return { type: 'AWS_IAM' };
      const authorizer = authorizerOf(name, scheme);
      if (!authorizer) {
        warnings.push(`Ignoring the security scheme ${name}, which has no x-amazon-apigateway-authorizer`);
        continue;
      }
      const listed = textsOf(scopes) ?? [];
      const type = authorizer.AuthorizerType === 'JWT' ? 'JWT' : 'CUSTOM';
      return { type, authorizer: name, ...(type === 'JWT' && listed.length > 0 && { scopes: listed }) };
    }
  return operation['x-amazon-apigateway-auth'] !== undefined &&
    nodeOf(operation['x-amazon-apigateway-auth']).type === 'AWS_IAM'
    ? { type: 'AWS_IAM' }
    : { type: 'NONE' };
}

/** Returns the path of the first server, without leading and trailing slashes. */
function serverPath(document: Node): string {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const url = memberText(nodeOf(server).url) ?? '';
  const variables = nodeOf(nodeOf(server).variables);
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => memberText(nodeOf(variables[name]).default) ?? '');
  return filled.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/+|\/+$/g, '');
}

/** Returns the prefix of a definition's paths. */
function prefixOf(document: Node, basePath: BasePath): string {
  const path = serverPath(document);
  if (path === '' || basePath === 'ignore') return '';
  // All parts except the first, which belongs to the mapping of a domain name.
  const rest = basePath === 'split' ? path.split('/').slice(1).join('/') : path;
  return rest === '' ? '' : `/${rest}`;
}

/**
 * Returns the API that an OpenAPI 3 document describes.
 * @param nameBefore name of the API before the import, which stays if the document has no title
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 */
export function definitionOf(document: Node, basePath: BasePath, nameBefore?: string): Definition {
  const info = nodeOf(document.info);
  const schemes = nodeOf(nodeOf(document.components).securitySchemes);
  const warnings = missingSchemas(document);
  const prefix = prefixOf(document, basePath);
  const routes: DefinedRoute[] = [];
  for (const [path, item] of Object.entries(nodeOf(document.paths)))
    for (const [name, value] of Object.entries(nodeOf(resolved(document, item)))) {
      const method = METHODS[name];
      if (method === undefined) continue;
      const operation = nodeOf(value);
      const isDefault = path === DEFAULT_PATH || operation.isDefaultRoute === true;
      const integration = integrationOf(document, operation['x-amazon-apigateway-integration']);
      const key = isDefault ? '$default' : `${method} ${prefix}${path}`;
      if (!integration) warnings.push(`The route ${key} has no x-amazon-apigateway-integration`);
      const operationName = memberText(operation.operationId);
      const authorization = authorizationOf(document, operation, schemes, warnings);
      routes.push({ key, operationName, integration, authorization });
    }
  const authorizers = Object.entries(schemes).flatMap(
    ([name, scheme]) => authorizerOf(name, nodeOf(resolved(document, scheme))) ?? [],
  );
  const tags = (Array.isArray(document.tags) ? document.tags : []).flatMap((tag) => {
    const value = memberText(nodeOf(tag)['x-amazon-apigateway-tag-value']);
    return value === undefined ? [] : [[memberText(nodeOf(tag).name) ?? '', value] as const];
  });
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const endpoint = nodeOf(nodeOf(server)['x-amazon-apigateway-endpoint-configuration']);
  const name = memberText(info.title) ?? nameBefore;
  if (name === undefined) throw badRequest('The API definition has no title');
  return {
    name,
    description: memberText(info.description),
    version: memberText(info.version),
    cors: corsOf(document['x-amazon-apigateway-cors']),
    tags: Object.fromEntries(tags),
    disablesEndpoint: endpoint.disableExecuteApiEndpoint === true,
    authorizers,
    routes,
    warnings,
  };
}
