import { missingSchemas, withVariables } from '@emu/apigateway-common';
import type { GatewayResponseType, Method } from '@emu/service-types/apigateway';
import { isObject } from '@emu/wire';
import { checkCompression } from '../apis/api.ts';
import { DEFAULT_TEMPLATES, STATUSES } from '../apis/gateway-response.ts';
import { nameProblem } from '../apis/model.ts';
import { checkPolicy } from '../apis/policy.ts';
import { partProblem } from '../apis/resource.ts';
import type { ApigatewayContext } from '../context.ts';
import { locationOf, sameLocation } from '../documentation-locations.ts';
import { badRequest } from '../errors.ts';
import type {
  ApiRecord,
  AuthorizerRecord,
  DocumentationPartRecord,
  GatewayResponseRecord,
  ModelRecord,
  ResourceRecord,
  ValidatorRecord,
} from '../records.ts';
import type { Api } from '../state.ts';
import { listOf, type Node, nodeOf, OpenApi, scalarText, textsOf } from './document.ts';
import { methodOf, type Names, referenced } from './methods.ts';

/** Options of an import. */
export interface ImportOptions {
  readonly mode: 'merge' | 'overwrite';
  readonly basePath: 'ignore' | 'prepend' | 'split';
  readonly failOnWarnings: boolean;
}

/** Content of a document, before changes are applied. */
interface Plan {
  readonly api: Partial<ApiRecord>;
  readonly models: ModelRecord[];
  readonly authorizers: AuthorizerRecord[];
  readonly validators: ValidatorRecord[];
  readonly gatewayResponses: GatewayResponseRecord[];
  readonly parts: DocumentationPartRecord[];
  readonly resources: Map<string, ResourceRecord>;
  readonly warnings: string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'x-amazon-apigateway-any-method'];

/**
 * Parses a document and resolves its AWS variables.
 * @throws AwsError `BadRequestException`
 */
export function readDocument(body: Uint8Array | undefined, ctx: ApigatewayContext): OpenApi {
  const document = OpenApi.read(withVariables(Buffer.from(body ?? []).toString(), ctx));
  if (!document) throw badRequest('Invalid OpenAPI input.');
  return document;
}

/**
 * Returns the endpoint configuration with VPC endpoints.
 * @throws AwsError `BadRequestException` if the API is not private
 */
function privately({ endpointConfiguration }: Api, vpcEndpointIds: string[]): ApiRecord['endpointConfiguration'] {
  if (endpointConfiguration.types?.[0] !== 'PRIVATE')
    throw badRequest('VPCEndpoints can only be specified with PRIVATE apis.');
  return { ...(structuredClone(endpointConfiguration) as ApiRecord['endpointConfiguration']), vpcEndpointIds };
}

/** Returns the document's settings of the API itself. */
function apiOf(document: OpenApi, api: Api): Partial<ApiRecord> {
  const { root } = document;
  const info = nodeOf(root.info);
  const configuration = nodeOf(
    root['x-amazon-apigateway-endpoint-configuration'] ??
      nodeOf(listOf(root.servers)[0])['x-amazon-apigateway-endpoint-configuration'],
  );
  const types = listOf(root['x-amazon-apigateway-binary-media-types']).map(String);
  const compression = root['x-amazon-apigateway-minimum-compression-size'];
  const source = root['x-amazon-apigateway-api-key-source'];
  const policy = root['x-amazon-apigateway-policy'];
  const securityPolicy = scalarText(root['x-amazon-apigateway-security-policy']);
  const accessMode = root['x-amazon-apigateway-endpoint-access-mode'];
  const vpcEndpointIds = listOf(configuration.vpcEndpointIds).map(String);
  return {
    ...(scalarText(info.title) && { name: scalarText(info.title)! }),
    ...(scalarText(info.description) && { description: scalarText(info.description) }),
    ...(scalarText(info.version) && { version: scalarText(info.version) }),
    ...(types.length > 0 && { binaryMediaTypes: types }),
    ...(compression !== undefined && { minimumCompressionSize: checkCompression(Number(compression)) }),
    ...((source === 'HEADER' || source === 'AUTHORIZER') && { apiKeySource: source }),
    ...(isObject(policy) && { policy: checkPolicy(JSON.stringify(policy)) }),
    ...(configuration.disableExecuteApiEndpoint !== undefined && {
      disableExecuteApiEndpoint: configuration.disableExecuteApiEndpoint === true,
    }),
    ...(vpcEndpointIds.length > 0 && { endpointConfiguration: privately(api, vpcEndpointIds) }),
    ...(securityPolicy !== undefined && { securityPolicy: securityPolicy as ApiRecord['securityPolicy'] }),
    ...((accessMode === 'BASIC' || accessMode === 'STRICT') && { endpointAccessMode: accessMode }),
  };
}

/** Returns a schema with references to models in API Gateway's form. */
function schemaOf(schema: unknown, apiId: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, apiId));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const name = key === '$ref' ? referenced({ $ref: value }) : undefined;
      if (name === undefined) return [key, schemaOf(value, apiId)];
      return [key, `https://apigateway.amazonaws.com/restapis/${apiId}/models/${name}`];
    }),
  );
}

function authorizersOf(document: OpenApi, { state }: ApigatewayContext): Map<string, AuthorizerRecord> {
  const found = new Map<string, AuthorizerRecord>();
  for (const [name, one] of Object.entries(document.security)) {
    const scheme = nodeOf(one);
    const given = nodeOf(scheme['x-amazon-apigateway-authorizer']);
    const type = scalarText(given.type)?.toUpperCase();
    if (type !== 'TOKEN' && type !== 'REQUEST' && type !== 'COGNITO_USER_POOLS') continue;
    const place = scheme.in === 'query' ? 'querystring' : 'header';
    const source =
      scalarText(given.identitySource) ?? `method.request.${place}.${scalarText(scheme.name) ?? 'Authorization'}`;
    const optional = (member: string) => {
      const value = scalarText(given[member]);
      return value === undefined ? {} : { [member]: value };
    };
    found.set(name, {
      id: state.newId(6),
      name,
      type,
      authType:
        scalarText(scheme['x-amazon-apigateway-authtype']) ??
        (type === 'COGNITO_USER_POOLS' ? 'cognito_user_pools' : 'custom'),
      ...(given.providerARNs !== undefined && { providerARNs: listOf(given.providerARNs).map(String) }),
      ...optional('authorizerUri'),
      ...optional('authorizerCredentials'),
      ...optional('identityValidationExpression'),
      identitySource: source,
      ...(type !== 'COGNITO_USER_POOLS' &&
        given.authorizerResultTtlInSeconds !== undefined && {
          authorizerResultTtlInSeconds: Number(given.authorizerResultTtlInSeconds),
        }),
    });
  }
  return found;
}

function validatorsOf(document: OpenApi, { state }: ApigatewayContext): Map<string, ValidatorRecord> {
  return new Map(
    Object.entries(nodeOf(document.root['x-amazon-apigateway-request-validators'])).map(([name, one]) => {
      const { validateRequestBody, validateRequestParameters } = nodeOf(one);
      const flags = {
        validateRequestBody: validateRequestBody === true,
        validateRequestParameters: validateRequestParameters === true,
      };
      return [name, { id: state.newId(6), name, ...flags }];
    }),
  );
}

function gatewayResponsesOf(document: OpenApi): GatewayResponseRecord[] {
  return Object.entries(nodeOf(document.root['x-amazon-apigateway-gateway-responses'])).flatMap(([type, one]) => {
    if (!Object.hasOwn(STATUSES, type)) return [];
    const { statusCode, responseParameters, responseTemplates } = nodeOf(one);
    const status = scalarText(statusCode) ?? STATUSES[type as GatewayResponseType];
    return [
      {
        responseType: type as GatewayResponseType,
        ...(status !== undefined && { statusCode: status }),
        responseParameters: textsOf(responseParameters),
        responseTemplates: responseTemplates === undefined ? { ...DEFAULT_TEMPLATES } : textsOf(responseTemplates),
        defaultResponse: false,
      },
    ];
  });
}

/**
 * Returns the documentation parts of a document.
 * @throws AwsError `BadRequestException`
 */
export function partsOf(root: Node, { state }: ApigatewayContext): DocumentationPartRecord[] {
  const documentation = nodeOf(root['x-amazon-apigateway-documentation'] ?? root);
  return listOf(documentation.documentationParts).map((one) => {
    const { location, properties } = nodeOf(one);
    const text = typeof properties === 'string' ? properties : JSON.stringify(properties ?? {});
    return { id: state.newId(6), location: locationOf(nodeOf(location) as never), properties: text };
  });
}

/** Returns the paths of the document, with the base path prepended if the import option requests it. */
function pathsOf(document: OpenApi, { basePath }: ImportOptions): [path: string, item: Node][] {
  const base = document.basePath;
  let prefix = '';
  if (basePath === 'prepend') prefix = base;
  else if (basePath === 'split') prefix = base.indexOf('/', 1) < 0 ? '' : base.slice(base.indexOf('/', 1));
  return Object.entries(nodeOf(document.root.paths)).map(([path, item]) => [
    `${prefix}${path}`.replace(/(?<=.)\/$/, ''),
    document.resolve(item),
  ]);
}

/**
 * Returns the resource of a path, creating it and its ancestors if missing.
 * @param before ids of replaced resources by path
 */
function resourceAt(
  path: string,
  resources: Map<string, ResourceRecord>,
  before: ReadonlyMap<string, string>,
  errors: string[],
  ctx: ApigatewayContext,
): ResourceRecord {
  const known = resources.get(path);
  if (known) return known;
  const cut = path.lastIndexOf('/');
  const parent = resourceAt(cut === 0 ? '/' : path.slice(0, cut), resources, before, errors, ctx);
  const problem = partProblem(path.slice(cut + 1));
  if (problem !== undefined) errors.push(`Unable to create resource at path '${path}': ${problem}`);
  const made: ResourceRecord = {
    id: before.get(path) ?? ctx.state.newId(6),
    parentId: parent.id,
    pathPart: path.slice(cut + 1),
    path,
    methods: {},
  };
  resources.set(path, made);
  return made;
}

function plan(document: OpenApi, api: Api, options: ImportOptions, ctx: ApigatewayContext): Plan {
  const { state } = ctx;
  const merging = options.mode === 'merge';
  const authorizers = authorizersOf(document, ctx);
  const validators = validatorsOf(document, ctx);
  if (merging) {
    for (const one of state.authorizers.list(api.id)) {
      const given = authorizers.get(one.name!);
      if (given) given.id = one.id;
    }
    for (const one of state.validators.list(api.id)) {
      const given = validators.get(one.name!);
      if (given) given.id = one.id;
    }
  }
  const warnings = document.isV3 ? missingSchemas(document.root) : [];
  const schemas = Object.entries(document.schemas);
  const models: ModelRecord[] = [];
  const addModel = (name: string, schema: unknown): void => {
    const text = JSON.stringify(schemaOf(schema, api.id));
    const description = scalarText(nodeOf(schema).description);
    models.push({
      id: state.newId(6),
      name,
      ...(description !== undefined && { description }),
      contentType: 'application/json',
      schema: text,
    });
  };
  for (const [name, schema] of schemas) {
    const problem = nameProblem(name);
    if (problem === undefined) addModel(name, schema);
    else warnings.push(`Unable to create model for '${name}': ${problem}`);
  }
  const known = new Set([...models, ...(merging ? state.models.list(api.id) : [])].map(({ name }) => name));
  const errors: string[] = [];
  const names: Names = {
    warn: (message) => warnings.push(message),
    refuse: (message) => errors.push(message),
    authorizer: (name) => {
      const found = authorizers.get(name);
      return found && { id: found.id, type: found.type! };
    },
    validator: (name) => validators.get(name)?.id,
    model(schema) {
      const name = referenced(schema);
      if (name !== undefined) return known.has(name) ? name : undefined;
      if (!isObject(schema) || Object.keys(schema).length === 0) return undefined;
      // An inline schema becomes a model with a generated name.
      const made = `MODEL${state.ids.hex(6)}`;
      addModel(made, schema);
      return made;
    },
  };
  const resources = new Map<string, ResourceRecord>();
  const before = new Map(state.resources.list(api.id).map(({ path, id }) => [path, id]));
  for (const resource of structuredClone(state.resources.list(api.id)) as ResourceRecord[])
    if (merging || resource.path === '/')
      resources.set(resource.path, merging ? resource : { ...resource, methods: {} });
  for (const [path, item] of pathsOf(document, options)) {
    if (!path.startsWith('/'))
      throw badRequest(`Unable to create resource at path '${path}': a path has to begin with a slash`);
    const resource = resourceAt(path, resources, before, errors, ctx);
    for (const name of METHODS) {
      if (!isObject(item[name])) continue;
      const httpMethod = name.startsWith('x-') ? 'ANY' : name.toUpperCase();
      const method: Method = methodOf(
        httpMethod,
        nodeOf(item[name]),
        listOf(item.parameters),
        document,
        names,
        resource,
      );
      resource.methods[httpMethod] = method;
    }
  }
  // https://github.com/serverless/blog/issues/629
  if (errors.length > 0) throw badRequest(`Errors found during import:\n\t${errors.join('\n\t')}`);
  return {
    api: apiOf(document, api),
    models,
    authorizers: [...authorizers.values()],
    validators: [...validators.values()],
    gatewayResponses: gatewayResponsesOf(document),
    parts: document.root['x-amazon-apigateway-documentation'] === undefined ? [] : partsOf(document.root, ctx),
    resources,
    warnings,
  };
}

/**
 * Imports a document into an API; an invalid document changes nothing.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-import-api.html
 */
export function importDocument(document: OpenApi, api: Api, options: ImportOptions, ctx: ApigatewayContext): Api {
  const { state } = ctx;
  const made = plan(document, api, options, ctx);
  if (options.failOnWarnings && made.warnings.length > 0)
    throw badRequest(`Warnings found during import:\n\t${made.warnings.join('\n\t')}`);
  const all = [state.resources, state.models, state.authorizers, state.validators, state.gatewayResponses, state.parts];
  if (options.mode === 'overwrite') for (const part of all) part.clear(api.id);
  for (const model of made.models) state.models.put(api.id, model.name, model);
  for (const one of made.authorizers) state.authorizers.put(api.id, one.id, one);
  for (const one of made.validators) state.validators.put(api.id, one.id, one);
  for (const one of made.gatewayResponses) state.gatewayResponses.put(api.id, one.responseType!, one);
  for (const part of made.parts) putPart(api.id, part, ctx);
  for (const resource of made.resources.values()) state.resources.put(api.id, resource.id, resource);
  return state.apis.update(api.id, (draft) => {
    if (options.mode === 'overwrite') {
      for (const name of ['description', 'version', 'binaryMediaTypes', 'minimumCompressionSize', 'policy'] as const)
        delete draft[name];
    }
    // A merge unites the types of both.
    const types = new Set([...(draft.binaryMediaTypes ?? []), ...(made.api.binaryMediaTypes ?? [])]);
    Object.assign(draft, made.api, types.size > 0 && { binaryMediaTypes: [...types] });
    if (made.warnings.length > 0) draft.warnings = made.warnings;
    else delete draft.warnings;
  });
}

/**
 * Adds or replaces a documentation part.
 * @returns its id
 */
export function putPart(apiId: string, part: DocumentationPartRecord, { state }: ApigatewayContext): string {
  const other = state.parts.list(apiId).find(({ location }) => sameLocation(location, part.location));
  const id = other?.id ?? part.id;
  state.parts.put(apiId, id, { ...part, id });
  return id;
}
