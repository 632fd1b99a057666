import type { DeepReadonly } from '@emu/core/service';
import type { Cors } from '@emu/service-types/apigatewayv2';
import type { ApiRecord, AuthorizerRecord, Configuration, IntegrationRecord, RouteRecord } from '../records.ts';
import { endpointOf } from '../runtime/endpoints.ts';
import { integrationIdOf } from '../runtime/route-key.ts';
import type { Apigatewayv2State } from '../state.ts';

/** Returns the members that have values. */
const given = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const corsOf = (cors: DeepReadonly<Cors>): Record<string, unknown> =>
  given({
    allowMethods: cors.AllowMethods,
    allowHeaders: cors.AllowHeaders,
    exposeHeaders: cors.ExposeHeaders,
    maxAge: cors.MaxAge,
    allowCredentials: cors.AllowCredentials,
    allowOrigins: cors.AllowOrigins,
  });

const integrationOf = (integration: IntegrationRecord): Record<string, unknown> =>
  given({
    payloadFormatVersion: integration.PayloadFormatVersion,
    type: integration.IntegrationType.toLowerCase(),
    integrationSubtype: integration.IntegrationSubtype,
    httpMethod: integration.IntegrationMethod,
    uri: integration.IntegrationUri,
    connectionType: integration.ConnectionType,
    credentials: integration.CredentialsArn,
    description: integration.Description,
    requestParameters: integration.RequestParameters,
    responseParameters: integration.ResponseParameters,
    timeoutInMillis: integration.TimeoutInMillis,
  });

function schemeOf(authorizer: AuthorizerRecord, extensions: boolean): object {
  const { AuthorizerType, IdentitySource, JwtConfiguration } = authorizer;
  const isJwt = AuthorizerType === 'JWT';
  const extension = given({
    type: isJwt ? 'jwt' : 'request',
    identitySource: IdentitySource.join(','),
    jwtConfiguration: isJwt
      ? given({ audience: JwtConfiguration?.Audience, issuer: JwtConfiguration?.Issuer })
      : undefined,
    authorizerUri: authorizer.AuthorizerUri,
    authorizerCredentials: authorizer.AuthorizerCredentialsArn,
    authorizerPayloadFormatVersion: authorizer.AuthorizerPayloadFormatVersion,
    authorizerResultTtlInSeconds: authorizer.AuthorizerResultTtlInSeconds,
    enableSimpleResponses: authorizer.EnableSimpleResponses,
  });
  return {
    ...(isJwt ? { type: 'oauth2', flows: {} } : { type: 'apiKey', name: 'Unused', in: 'header' }),
    ...(extensions && { 'x-amazon-apigateway-authorizer': extension }),
  };
}

const IAM_SCHEME = 'sigv4';

function operationOf(
  route: RouteRecord,
  integrations: ReadonlyMap<string, IntegrationRecord>,
  names: ReadonlyMap<string, string>,
  extensions: boolean,
): Record<string, unknown> {
  const { AuthorizationType, AuthorizerId, AuthorizationScopes = [], OperationName, RouteKey } = route;
  const integration = integrations.get(integrationIdOf(route) ?? '');
  const name = AuthorizationType === 'AWS_IAM' ? IAM_SCHEME : names.get(AuthorizerId ?? '');
  const path = RouteKey.slice(RouteKey.indexOf(' ') + 1);
  const parameters = [...path.matchAll(/\{([^}+]+)\+?\}/g)].map(([, variable]) => ({
    name: variable,
    in: 'path',
    description: `Generated path parameter for ${variable}`,
    required: true,
    schema: { type: 'string' },
  }));
  return given({
    operationId: OperationName,
    parameters: parameters.length > 0 ? parameters : undefined,
    responses: { default: { description: `Default response for ${RouteKey}` } },
    isDefaultRoute: RouteKey === '$default' && extensions ? true : undefined,
    security: name === undefined ? undefined : [{ [name]: AuthorizationScopes }],
    'x-amazon-apigateway-integration': integration && extensions ? integrationOf(integration) : undefined,
  });
}

/**
 * Returns the OpenAPI 3 document of an HTTP API.
 * @param extensions whether to include API Gateway's extensions
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-export.html
 */
export function openApiOf(
  api: DeepReadonly<ApiRecord>,
  configuration: Configuration,
  state: Apigatewayv2State,
  extensions: boolean,
): object {
  const integrations = new Map(configuration.integrations.map((one) => [one.IntegrationId, one]));
  const names = new Map(configuration.authorizers.map(({ AuthorizerId, Name }) => [AuthorizerId, Name]));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of configuration.routes) {
    const [method, path] =
      route.RouteKey === '$default' ? ['ANY', '/$default'] : (route.RouteKey.split(' ') as [string, string]);
    paths[path] ??= {};
    paths[path][method === 'ANY' ? 'x-amazon-apigateway-any-method' : method.toLowerCase()] = operationOf(
      route,
      integrations,
      names,
      extensions,
    );
  }
  const usesIam = configuration.routes.some(({ AuthorizationType }) => AuthorizationType === 'AWS_IAM');
  const schemes = {
    ...Object.fromEntries(configuration.authorizers.map((one) => [one.Name, schemeOf(one, extensions)])),
    ...(usesIam && {
      [IAM_SCHEME]: {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        ...(extensions && { 'x-amazon-apigateway-authtype': 'awsSigv4' }),
      },
    }),
  };
  const tags = Object.entries(api.Tags).map(([name, value]) =>
    extensions ? { name, 'x-amazon-apigateway-tag-value': value } : { name },
  );
  return given({
    openapi: '3.0.1',
    info: given({
      title: api.Name,
      description: api.Description,
      version: api.Version ?? new Date(api.createdAt).toISOString(),
    }),
    servers: [
      {
        url: `${endpointOf(api, state)}/{basePath}`,
        variables: { basePath: { default: '' } },
        ...(extensions &&
          api.DisableExecuteApiEndpoint && {
            'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true },
          }),
      },
    ],
    tags: tags.length > 0 ? tags : undefined,
    paths,
    components: Object.keys(schemes).length > 0 ? { securitySchemes: schemes } : undefined,
    'x-amazon-apigateway-cors': configuration.cors && extensions ? corsOf(configuration.cors) : undefined,
    'x-amazon-apigateway-importexport-version': extensions ? '1.0' : undefined,
  });
}
