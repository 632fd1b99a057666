import type {
  ConnectionType,
  Integration,
  IntegrationResponse,
  Method,
  MethodResponse,
} from '@emu/service-types/apigateway';
import { AwsError } from '@emu/wire';
import { checkAnswerParameters, checkIntegration, connectionOf, TIMEOUT } from '../apis/integration.ts';
import { listOf, type Node, nodeOf, type OpenApi, scalarText, textsOf } from './document.ts';

/** Resolves names used by methods of a document. */
export interface Names {
  /** Returns an authorizer by the name of its security scheme. */
  authorizer(name: string): { id: string; type: string } | undefined;
  validator(name: string): string | undefined;
  /** Returns the model name of a schema that is a reference. */
  model(schema: unknown): string | undefined;
  /** Reports an invalid part that is ignored. */
  warn(message: string): void;
  /** Reports an invalid part, because of which the import fails. */
  refuse(message: string): void;
}

/** Returns the model name in a schema reference. */
export const referenced = (schema: unknown): string | undefined =>
  /^#\/(?:definitions|components\/schemas)\/([^/]+)$/.exec(scalarText(nodeOf(schema).$ref) ?? '')?.[1];

const PLACES: Readonly<Record<string, string>> = { query: 'querystring', header: 'header', path: 'path' };

/** Position of an operation, for warnings. */
export interface OperationPlace {
  readonly id: string;
  readonly path: string;
  readonly httpMethod: string;
}

/** Returns the text parameters of an integration; others are ignored with a warning. */
function mappingsOf(given: unknown, { path, httpMethod }: OperationPlace, { warn }: Names): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(nodeOf(given)))
    if (typeof value === 'string') found[name] = value;
    else
      warn(
        `Invalid format for 'requestParameters'. Expected type string for property '${name}' of resource '${path}' and method '${httpMethod}' but got '${value}'`,
      );
  return found;
}

/**
 * Returns the integration in the extension.
 * @param method which declares the sources of request parameters
 * @throws AwsError `BadRequestException` for an invalid response
 */
function integrationOf(
  given: Node,
  method: Pick<Method, 'requestParameters'>,
  place: OperationPlace,
  names: Names,
): Integration {
  const type = (scalarText(given.type) ?? 'HTTP').toUpperCase().replace('-', '_') as NonNullable<Integration['type']>;
  const httpMethod = scalarText(given.httpMethod);
  const responses: Record<string, IntegrationResponse> = {};
  for (const [pattern, one] of Object.entries(nodeOf(given.responses))) {
    const response = nodeOf(one);
    const statusCode = scalarText(response.statusCode) ?? '200';
    const parameters = textsOf(response.responseParameters);
    checkAnswerParameters(parameters);
    responses[statusCode] = {
      statusCode,
      ...(pattern !== 'default' && { selectionPattern: pattern }),
      ...(response.responseParameters !== undefined && { responseParameters: parameters }),
      ...(response.responseTemplates !== undefined && { responseTemplates: textsOf(response.responseTemplates) }),
      ...(response.contentHandling !== undefined && {
        contentHandling: scalarText(response.contentHandling) as 'CONVERT_TO_TEXT',
      }),
    };
  }
  const optional = (name: 'uri' | 'credentials' | 'connectionId' | 'integrationTarget') => {
    const value = scalarText(given[name]);
    return value === undefined ? {} : { [name]: value };
  };
  const integration: Integration = {
    type,
    ...(httpMethod !== undefined &&
      type !== 'MOCK' && {
        httpMethod: httpMethod.toUpperCase() === 'X-AMAZON-APIGATEWAY-ANY-METHOD' ? 'ANY' : httpMethod.toUpperCase(),
      }),
    ...optional('uri'),
    ...optional('credentials'),
    ...connectionOf(type, scalarText(given.connectionType) as ConnectionType | undefined),
    ...optional('connectionId'),
    ...optional('integrationTarget'),
    ...(given.responseTransferMode !== undefined && {
      responseTransferMode: scalarText(given.responseTransferMode)?.toUpperCase() as 'STREAM',
    }),
    ...(given.requestParameters !== undefined && {
      requestParameters: mappingsOf(given.requestParameters, place, names),
    }),
    ...(given.requestTemplates !== undefined && { requestTemplates: textsOf(given.requestTemplates) }),
    passthroughBehavior: (scalarText(given.passthroughBehavior) ?? 'WHEN_NO_MATCH').toUpperCase(),
    ...(given.contentHandling !== undefined && {
      contentHandling: scalarText(given.contentHandling) as 'CONVERT_TO_TEXT',
    }),
    timeoutInMillis: Number(given.timeoutInMillis ?? TIMEOUT),
    cacheNamespace: scalarText(given.cacheNamespace) ?? place.id,
    cacheKeyParameters: listOf(given.cacheKeyParameters).map(String),
    ...(given.tlsConfig !== undefined && {
      tlsConfig: { insecureSkipVerification: nodeOf(given.tlsConfig).insecureSkipVerification === true },
    }),
    ...(Object.keys(responses).length > 0 && { integrationResponses: responses }),
  };
  try {
    checkIntegration(integration, method);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    names.refuse(
      `Unable to put integration on '${place.httpMethod}' for resource at path '${place.path}': ${error.message}`,
    );
  }
  return integration;
}

/** Returns the responses of an operation. */
function responsesOf(operation: Node, document: OpenApi, names: Names): Record<string, MethodResponse> {
  const found: Record<string, MethodResponse> = {};
  for (const [status, one] of Object.entries(nodeOf(operation.responses))) {
    if (!/^[1-5]\d\d$/.test(status)) continue;
    const response = document.resolve(one);
    const headers = Object.keys(nodeOf(response.headers));
    const models: Record<string, string> = {};
    const add = (type: string, schema: unknown): void => {
      const model = names.model(schema);
      if (model !== undefined) models[type] = model;
    };
    if (document.isV3)
      for (const [type, media] of Object.entries(nodeOf(response.content))) add(type, nodeOf(media).schema);
    else for (const type of typesOf(operation, document, 'produces')) add(type, response.schema);
    found[status] = {
      statusCode: status,
      ...(headers.length > 0 && {
        responseParameters: Object.fromEntries(headers.map((name) => [`method.response.header.${name}`, false])),
      }),
      ...(Object.keys(models).length > 0 && { responseModels: models }),
    };
  }
  return found;
}

function typesOf(operation: Node, { root }: OpenApi, member: 'produces' | 'consumes'): readonly string[] {
  const given = listOf(operation[member] ?? root[member]).map(String);
  return given.length > 0 ? given : ['application/json'];
}

/** Returns the parameters and bodies of an operation. */
function requestOf(
  operation: Node,
  shared: readonly unknown[],
  document: OpenApi,
  names: Names,
): Pick<Method, 'requestParameters' | 'requestModels'> {
  const parameters: Record<string, boolean> = {};
  const models: Record<string, string> = {};
  for (const one of [...shared, ...listOf(operation.parameters)]) {
    const parameter = document.resolve(one);
    const place = PLACES[scalarText(parameter.in) ?? ''];
    const name = scalarText(parameter.name);
    if (place !== undefined && name !== undefined)
      parameters[`method.request.${place}.${name}`] = parameter.required === true;
    const model = parameter.in === 'body' ? names.model(parameter.schema) : undefined;
    if (model !== undefined) for (const type of typesOf(operation, document, 'consumes')) models[type] = model;
  }
  for (const [type, media] of Object.entries(nodeOf(document.resolve(operation.requestBody).content))) {
    const model = names.model(nodeOf(media).schema);
    if (model !== undefined) models[type] = model;
  }
  return {
    ...(Object.keys(parameters).length > 0 && { requestParameters: parameters }),
    ...(Object.keys(models).length > 0 && { requestModels: models }),
  };
}

/** Returns the authorization of an operation. */
function securityOf(
  operation: Node,
  document: OpenApi,
  names: Names,
): Pick<Method, 'authorizationType' | 'authorizerId' | 'apiKeyRequired' | 'authorizationScopes'> {
  const found: ReturnType<typeof securityOf> = { authorizationType: 'NONE', apiKeyRequired: false };
  for (const requirement of listOf(operation.security ?? document.root.security))
    for (const [name, scopes] of Object.entries(nodeOf(requirement))) {
      const scheme = nodeOf(document.security[name]);
      const authorizer = names.authorizer(name);
      if (authorizer) {
        found.authorizationType = authorizer.type === 'COGNITO_USER_POOLS' ? 'COGNITO_USER_POOLS' : 'CUSTOM';
        found.authorizerId = authorizer.id;
        if (listOf(scopes).length > 0) found.authorizationScopes = listOf(scopes).map(String);
      } else if (scheme['x-amazon-apigateway-authtype'] === 'awsSigv4') found.authorizationType = 'AWS_IAM';
      else if (scheme.type === 'apiKey' && /^x-api-key$/i.test(scalarText(scheme.name) ?? ''))
        found.apiKeyRequired = true;
    }
  const auth = scalarText(nodeOf(operation['x-amazon-apigateway-auth']).type);
  if (auth !== undefined) found.authorizationType = auth.toUpperCase();
  return found;
}

/**
 * Returns a method of a document.
 * @throws AwsError `BadRequestException`
 */
export function methodOf(
  httpMethod: string,
  operation: Node,
  shared: readonly unknown[],
  document: OpenApi,
  names: Names,
  resource: Pick<OperationPlace, 'id' | 'path'>,
): Method {
  const integration = operation['x-amazon-apigateway-integration'];
  const responses = responsesOf(operation, document, names);
  const validator =
    scalarText(operation['x-amazon-apigateway-request-validator']) ??
    scalarText(document.root['x-amazon-apigateway-request-validator']);
  const validatorId = validator === undefined ? undefined : names.validator(validator);
  const operationName = scalarText(operation.operationId);
  const request = requestOf(operation, shared, document, names);
  return {
    httpMethod,
    ...securityOf(operation, document, names),
    ...(validatorId !== undefined && { requestValidatorId: validatorId }),
    ...(operationName !== undefined && { operationName }),
    ...request,
    ...(Object.keys(responses).length > 0 && { methodResponses: responses }),
    ...(integration !== undefined && {
      methodIntegration: integrationOf(nodeOf(integration), request, { ...resource, httpMethod }, names),
    }),
  };
}
