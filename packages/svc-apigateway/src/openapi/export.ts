import type { DeepReadonly } from '@emu/core/service';
import type { Integration, Method } from '@emu/service-types/apigateway';
import { stringify as stringifyYaml } from 'yaml';
import { TIMEOUT } from '../apis/integration.ts';
import type { ApiDefinition, ApiRecord, DocumentationPartRecord } from '../records.ts';

/** Content and options of an export. */
export interface ExportSource {
  readonly api: DeepReadonly<ApiRecord>;
  readonly definition: DeepReadonly<ApiDefinition>;
  readonly title: string;
  readonly description: string | undefined;
  /** For example `2026-11-23T10:00:00Z`. */
  readonly version: string;
  readonly host: string;
  readonly stage: string;
  /** Requested extensions: `integrations`, `authorizers`, `apigateway`. */
  readonly extensions: ReadonlySet<string>;
  readonly parts: readonly DeepReadonly<DocumentationPartRecord>[];
  readonly isV3: boolean;
}

type Json = Record<string, unknown>;
const has = (values: object | undefined): boolean => values !== undefined && Object.keys(values).length > 0;

/** Returns a schema with local references instead of model references. */
function localSchema(schema: unknown, isV3: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => localSchema(one, isV3));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === '$schema') return [];
      const name = key === '$ref' && typeof value === 'string' ? /\/models\/([^/]+)$/.exec(value)?.[1] : undefined;
      return [[key, name === undefined ? localSchema(value, isV3) : reference(name, isV3)]];
    }),
  );
}

const reference = (name: string, isV3: boolean): string =>
  isV3 ? `#/components/schemas/${name}` : `#/definitions/${name}`;

function integrationJson({
  integrationResponses,
  cacheNamespace,
  cacheKeyParameters,
  connectionType,
  timeoutInMillis,
  type,
  ...rest
}: DeepReadonly<Integration>): Json {
  const responses = Object.fromEntries(
    Object.values(integrationResponses ?? {}).map(({ selectionPattern, ...response }) => [
      selectionPattern || 'default',
      response,
    ]),
  );
  return {
    type: type!.toLowerCase(),
    ...rest,
    ...(connectionType !== 'INTERNET' && { connectionType }),
    ...(timeoutInMillis !== TIMEOUT && { timeoutInMillis }),
    passthroughBehavior: rest.passthroughBehavior?.toLowerCase(),
    ...(cacheKeyParameters?.length && { cacheKeyParameters, cacheNamespace }),
    ...(has(responses) && { responses }),
  };
}

function parametersOf({ requestParameters = {} }: DeepReadonly<Method>, isV3: boolean): Json[] {
  return Object.entries(requestParameters).flatMap(([key, required]) => {
    const [, , place, ...rest] = key.split('.');
    const where = { querystring: 'query', header: 'header', path: 'path' }[place ?? ''];
    if (where === undefined) return [];
    const type = isV3 ? { schema: { type: 'string' } } : { type: 'string' };
    const needed = required || where === 'path';
    return [{ name: rest.join('.'), in: where, ...((needed || !isV3) && { required: needed }), ...type }];
  });
}

const media = (models: Readonly<Record<string, string>> | undefined, isV3: boolean): Json =>
  Object.fromEntries(
    Object.entries(models ?? {}).map(([type, name]) => [type, { schema: { $ref: reference(name, isV3) } }]),
  );

function responsesOf({ methodResponses = {} }: DeepReadonly<Method>, isV3: boolean): Json {
  return Object.fromEntries(
    Object.entries(methodResponses).map(([status, { responseParameters = {}, responseModels }]) => {
      const headers = Object.fromEntries(
        Object.keys(responseParameters).map((key) => {
          const name = key.replace('method.response.header.', '');
          return [name, isV3 ? { schema: { type: 'string' } } : { type: 'string' }];
        }),
      );
      const first = Object.values(responseModels ?? {})[0];
      const body = isV3
        ? { content: media(responseModels, true) }
        : first && { schema: { $ref: reference(first, false) } };
      return [status, { description: `${status} response`, ...(has(headers) && { headers }), ...body }];
    }),
  );
}

/** Returns the media types that a method consumes and produces: those of its models and integration templates. */
function mediaTypesOf({ requestModels, methodResponses, methodIntegration }: DeepReadonly<Method>): Json {
  const { requestTemplates, integrationResponses } = methodIntegration ?? {};
  const typesOf = (maps: (object | undefined)[]): string[] => [
    ...new Set(maps.flatMap((one) => Object.keys(one ?? {}))),
  ];
  const consumes = typesOf([requestModels, requestTemplates]);
  const produces = typesOf([
    ...Object.values(methodResponses ?? {}).map(({ responseModels }) => responseModels),
    ...Object.values(integrationResponses ?? {}).map(({ responseTemplates }) => responseTemplates),
  ]);
  return { ...(consumes.length > 0 && { consumes }), ...(produces.length > 0 && { produces }) };
}

function operationOf(method: DeepReadonly<Method>, { isV3, extensions, definition }: ExportSource): Json {
  const { requestModels, operationName, methodIntegration, requestValidatorId, authorizationType, authorizerId } =
    method;
  const parameters = parametersOf(method, isV3);
  const security: Json[] = [];
  const authorizer = definition.authorizers.find(({ id }) => id === authorizerId);
  if (authorizationType === 'AWS_IAM') security.push({ sigv4: [] });
  if (authorizer) security.push({ [authorizer.name!]: [...(method.authorizationScopes ?? [])] });
  if (method.apiKeyRequired) security.push({ api_key: [] });
  const model = Object.values(requestModels ?? {})[0];
  if (!isV3 && model)
    parameters.push({ in: 'body', name: model, required: true, schema: { $ref: reference(model, false) } });
  const validator = definition.validators.find(({ id }) => id === requestValidatorId)?.name;
  const wantsAll = extensions.has('apigateway');
  return {
    ...(operationName !== undefined && { operationId: operationName }),
    ...(!isV3 && mediaTypesOf(method)),
    ...(parameters.length > 0 && { parameters }),
    ...(isV3 && requestModels && { requestBody: { content: media(requestModels, true), required: true } }),
    responses: responsesOf(method, isV3),
    ...(security.length > 0 && { security }),
    ...(wantsAll && validator !== undefined && { 'x-amazon-apigateway-request-validator': validator }),
    ...((wantsAll || extensions.has('integrations')) &&
      methodIntegration && { 'x-amazon-apigateway-integration': integrationJson(methodIntegration) }),
  };
}

function securityOf({ definition, extensions }: ExportSource): Json {
  const schemes: Json = {};
  const methods = definition.resources.flatMap(({ methods: all }) => Object.values(all));
  if (methods.some(({ apiKeyRequired }) => apiKeyRequired))
    schemes.api_key = { type: 'apiKey', name: 'x-api-key', in: 'header' };
  if (methods.some(({ authorizationType }) => authorizationType === 'AWS_IAM'))
    schemes.sigv4 = { type: 'apiKey', name: 'Authorization', in: 'header', 'x-amazon-apigateway-authtype': 'awsSigv4' };
  for (const { id, name, authType, identitySource, ...rest } of definition.authorizers) {
    const [, , place, header] = (identitySource ?? 'method.request.header.Authorization').split('.');
    const own = rest.type === 'REQUEST' ? { ...rest, identitySource } : rest;
    schemes[name!] = {
      type: 'apiKey',
      name: header ?? 'Authorization',
      in: place === 'querystring' ? 'query' : 'header',
      'x-amazon-apigateway-authtype': authType,
      ...((extensions.has('authorizers') || extensions.has('apigateway')) && {
        'x-amazon-apigateway-authorizer': { ...own, type: rest.type!.toLowerCase() },
      }),
    };
  }
  return schemes;
}

/**
 * Exports an API as an OpenAPI document.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-export-api.html
 */
export function exportDocument(source: ExportSource): Json {
  const { definition, title, description, version, host, stage, isV3, extensions } = source;
  const paths: Json = {};
  for (const { path, methods } of [...definition.resources].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const item: Json = {};
    for (const [name, method] of Object.entries(methods))
      item[name === 'ANY' ? 'x-amazon-apigateway-any-method' : name.toLowerCase()] = operationOf(method, source);
    if (has(item)) paths[path] = item;
  }
  const schemas = Object.fromEntries(
    definition.models.map(({ name, schema }) => [name, localSchema(JSON.parse(schema ?? '{}'), isV3)]),
  );
  const security = securityOf(source);
  const endpoint = extensions.has('apigateway') && endpointOf(source.api);
  const info = { title, ...(description !== undefined && { description }), version };
  return {
    ...(isV3 ? { openapi: '3.0.1' } : { swagger: '2.0' }),
    info,
    ...(isV3
      ? {
          servers: [{ url: `https://${host}/{basePath}`, variables: { basePath: { default: stage } }, ...endpoint }],
        }
      : { host, basePath: `/${stage}`, schemes: ['https'] }),
    paths,
    ...(isV3
      ? { components: { ...(has(schemas) && { schemas }), ...(has(security) && { securitySchemes: security }) } }
      : { ...(has(security) && { securityDefinitions: security }), ...(has(schemas) && { definitions: schemas }) }),
    ...(!isV3 && endpoint),
    ...(extensions.has('apigateway') && extensionsOf(source)),
    ...(source.parts.length > 0 && {
      'x-amazon-apigateway-documentation': {
        documentationParts: source.parts.map(({ location, properties }) => ({
          location,
          properties: JSON.parse(properties ?? '{}'),
        })),
      },
    }),
  };
}

/** Returns the endpoint settings that differ from the defaults. */
function endpointOf({ disableExecuteApiEndpoint, endpointConfiguration }: ExportSource['api']): Json {
  const { vpcEndpointIds = [] } = endpointConfiguration;
  const settings = {
    ...(disableExecuteApiEndpoint && { disableExecuteApiEndpoint }),
    ...(vpcEndpointIds.length > 0 && { vpcEndpointIds }),
  };
  return has(settings) ? { 'x-amazon-apigateway-endpoint-configuration': settings } : {};
}

function extensionsOf({ api: { securityPolicy, endpointAccessMode }, definition }: ExportSource): Json {
  const { gatewayResponses, validators, binaryMediaTypes, minimumCompressionSize, policy, apiKeySource } = definition;
  return {
    ...(apiKeySource === 'AUTHORIZER' && { 'x-amazon-apigateway-api-key-source': apiKeySource }),
    ...(policy !== undefined && { 'x-amazon-apigateway-policy': JSON.parse(policy) }),
    ...(validators.length > 0 && {
      'x-amazon-apigateway-request-validators': Object.fromEntries(
        validators.map(({ id, name, ...flags }) => [name ?? id, flags]),
      ),
    }),
    ...(gatewayResponses.length > 0 && {
      'x-amazon-apigateway-gateway-responses': Object.fromEntries(
        gatewayResponses.map(({ responseType, defaultResponse, ...response }) => [responseType, response]),
      ),
    }),
    ...(binaryMediaTypes.length > 0 && { 'x-amazon-apigateway-binary-media-types': binaryMediaTypes }),
    ...(minimumCompressionSize !== undefined && {
      'x-amazon-apigateway-minimum-compression-size': minimumCompressionSize,
    }),
    ...(securityPolicy !== undefined && { 'x-amazon-apigateway-security-policy': securityPolicy }),
    ...(endpointAccessMode !== undefined && { 'x-amazon-apigateway-endpoint-access-mode': endpointAccessMode }),
  };
}

/**
 * Formats a document as text.
 * @param yaml YAML instead of JSON
 */
export const printDocument = (document: Json, yaml: boolean): string =>
  yaml ? stringifyYaml(document, { aliasDuplicateObjects: false }) : JSON.stringify(document, null, 2);
