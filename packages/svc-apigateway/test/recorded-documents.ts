import type { recordedAnswers } from './recorded-answers.ts';

type Answers = ReturnType<typeof recordedAnswers>;
// biome-ignore lint/suspicious/noExplicitAny: recorded answers are of many kinds
type Any = any;

/** Properties of a document that the recorded responses do not contain. */
export interface DocumentFacts {
  /** `2.0` is Swagger; others are OpenAPI 3. */
  readonly version?: '2.0' | '3.0.1';
  /** Name prefix of the steps that show this document's methods. */
  readonly prefix?: string;
  /** Name of the step that shows its resources. */
  readonly resources?: string;
  /** Path prefix that recorded paths have and the document does not. */
  readonly prepended?: string;
  /** Additional top-level members. */
  readonly more?: object;
  /** Changes an operation. */
  readonly change?: (operation: Any, path: string, method: string) => void;
}

const ARN = 'arn:aws:lambda:us-east-1:111111111111:function:any';
const INVOCATIONS = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${ARN}/invocations`;
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  partition: 'aws',
  region: 'us-east-1',
  uri: INVOCATIONS,
  'authorizer-uri': INVOCATIONS,
  'authorizer-credentials': 'arn:aws:iam::111111111111:role/any',
  credentials: 'arn:aws:iam::111111111111:role/any',
};
const SCHEME_NAME = 'any-authorizer';
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Replaces placeholders in a recorded value by text, equal for equal placeholders. */
export function filled<T>(recorded: T): T {
  const text = JSON.stringify(recorded).replace(
    /<([a-zA-Z-]+)(?::(\d+))?>/g,
    (_, name: string, at = '') => PLACEHOLDERS[name] ?? `${name}${at}`,
  );
  return JSON.parse(text) as T;
}

/** Returns the existing members of an object. */
const only = (from: Any, names: readonly string[]): Any =>
  Object.fromEntries(names.filter((name) => isSet(from[name])).map((name) => [name, from[name]]));

/** Returns templates as text; recordings contain JSON templates as values. */
const templates = (recorded: Any): Any =>
  recorded &&
  Object.fromEntries(
    Object.entries(recorded).map(([type, text]) => [type, typeof text === 'string' ? text : JSON.stringify(text)]),
  );

/** Returns the extension of an integration, without API Gateway's defaults. */
function integrationOf({ type, httpMethod, integrationResponses = {}, ...rest }: Any): Any {
  const responses = Object.fromEntries(
    Object.values(integrationResponses as Record<string, Any>).map(({ selectionPattern, ...response }) => [
      selectionPattern ?? 'default',
      { ...response, ...(response.responseTemplates && { responseTemplates: templates(response.responseTemplates) }) },
    ]),
  );
  return {
    ...only(rest, ['uri', 'requestParameters', 'passthroughBehavior', 'contentHandling', 'credentials']),
    type: String(type).toLowerCase(),
    ...(isSet(httpMethod) && { httpMethod }),
    ...(rest.requestTemplates && { requestTemplates: templates(rest.requestTemplates) }),
    ...(rest.timeoutInMillis !== 29_000 && { timeoutInMillis: rest.timeoutInMillis }),
    ...(Object.keys(responses).length > 0 && { responses }),
  };
}

/** Returns the builders for documents of a version. */
function dialectOf(version: string) {
  const old = version === '2.0';
  const reference = (name: string) => ({ $ref: `#/${old ? 'definitions' : 'components/schemas'}/${name}` });
  const value = old ? { type: 'string' } : { schema: { type: 'string' } };
  return { old, reference, value };
}

function operationOf(method: Any, { old, reference, value }: ReturnType<typeof dialectOf>, scheme: string): Any {
  const parameters: Any[] = Object.entries((method.requestParameters ?? {}) as Record<string, boolean>).map(
    ([source, required]) => {
      const [, , place, ...name] = source.split('.');
      const where = place === 'querystring' ? 'query' : place;
      return { name: name.join('.'), in: where, required, ...value };
    },
  );
  const operation: Any = { responses: {} };
  const types = Object.entries((method.requestModels ?? {}) as Record<string, string>);
  if (types.length > 0 && old) {
    operation.consumes = types.map(([type]) => type);
    parameters.push({ in: 'body', name: types[0]![1], required: true, schema: reference(types[0]![1]) });
  } else if (types.length > 0)
    operation.requestBody = {
      content: Object.fromEntries(types.map(([type, name]) => [type, { schema: reference(name) }])),
      required: true,
    };
  if (parameters.length > 0) operation.parameters = parameters;
  for (const { statusCode, responseParameters = {}, responseModels = {} } of Object.values(
    (method.methodResponses ?? {}) as Record<string, Any>,
  )) {
    const headers = Object.keys(responseParameters).map((source) => [source.split('.').slice(3).join('.'), value]);
    const models = Object.entries(responseModels as Record<string, string>);
    if (models.length > 0 && old) operation.produces = models.map(([type]) => type);
    operation.responses[statusCode] = {
      description: `${statusCode} response`,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(models.length > 0 &&
        (old
          ? { schema: reference(models[0]![1]) }
          : { content: Object.fromEntries(models.map(([type, name]) => [type, { schema: reference(name) }])) })),
    };
  }
  if (method.operationName) operation.operationId = method.operationName;
  const security: Any[] = [];
  if (method.authorizationType === 'AWS_IAM') security.push({ sigv4: [] });
  else if (method.authorizationType !== 'NONE') security.push({ [scheme]: method.authorizationScopes ?? [] });
  if (method.apiKeyRequired) security.push({ api_key: [] });
  if (security.length > 0) operation.security = security;
  if (method.methodIntegration) operation['x-amazon-apigateway-integration'] = integrationOf(method.methodIntegration);
  return operation;
}

/** Returns the security scheme of an authorizer. */
function schemeOf(authorizer: Any): Any {
  return {
    type: 'apiKey',
    name: authorizer.identitySource?.split('.').at(-1) ?? 'Authorization',
    in: 'header',
    'x-amazon-apigateway-authtype': authorizer.authType,
    'x-amazon-apigateway-authorizer': {
      type: String(authorizer.type).toLowerCase(),
      ...only(authorizer, [
        'authorizerUri',
        'authorizerCredentials',
        'authorizerResultTtlInSeconds',
        'identityValidationExpression',
        'providerARNs',
        ...(authorizer.type === 'REQUEST' ? ['identitySource'] : []),
      ]),
    },
  };
}

const ANY_AUTHORIZER = { authType: 'custom', type: 'TOKEN', authorizerUri: INVOCATIONS };

/**
 * Builds a document for the API in recorded responses of an AWS import. Values that API Gateway fills in (timeouts,
 * cache namespaces, passthrough and similar) are omitted.
 */
export function documentOf(answers: Answers, facts: DocumentFacts = {}): Any {
  const { version = '2.0', prefix = '', resources = 'resources', prepended = '', change, more } = facts;
  const dialect = dialectOf(version);
  const listed = answers['get-authorizers'] as Any;
  const authorizers: Any[] = (Array.isArray(listed) ? listed : listed?.items) ?? [];
  const schemes: Any = {
    api_key: { type: 'apiKey', name: 'x-api-key', in: 'header' },
    sigv4: { type: 'apiKey', name: 'Authorization', in: 'header', 'x-amazon-apigateway-authtype': 'awsSigv4' },
  };
  if (authorizers.length === 0) schemes[SCHEME_NAME] = schemeOf(ANY_AUTHORIZER);
  for (const authorizer of authorizers) schemes[filled(authorizer.name)] = filled(schemeOf(authorizer));
  const validators = ((answers['request-validators'] as Any)?.items ?? []) as Any[];
  const paths: Any = {};
  for (const { path, resourceMethods = {} } of (answers[resources] as Any).items) {
    const own = path === prepended ? '/' : path.slice(prepended.length);
    for (const verb of Object.keys(resourceMethods)) {
      const step = `${prefix}method-${path === '/' ? 'root' : path.slice(1)}-${verb.toLowerCase()}`;
      const method = answers[step] as Any;
      if (!method) throw new Error(`the recording has no step ${step}`);
      const known = authorizers.find(({ id }) => id === method.authorizerId);
      const operation = filled(operationOf(method, dialect, known ? known.name : SCHEME_NAME));
      const validator = validators.find(({ id }) => id === method.requestValidatorId);
      if (validator) operation['x-amazon-apigateway-request-validator'] = validator.name;
      change?.(operation, own, verb);
      paths[own] ??= {};
      paths[own][verb === 'ANY' ? 'x-amazon-apigateway-any-method' : verb.toLowerCase()] = operation;
    }
  }
  const models: Any = {};
  // Models that are not listed are taken from the methods.
  for (const [, name] of JSON.stringify(paths).matchAll(/"#\/(?:definitions|components\/schemas)\/([^"]+)"/g))
    models[name!] = { type: 'object' };
  for (const { name, schema } of (answers['get-models'] as Any)?.items ?? [])
    models[filled(name)] = JSON.parse(
      JSON.stringify(filled(schema)).replace(/"[^"]*\/restapis\/[^"]*\/models\/([^"]*)"/g, (_, model: string) =>
        JSON.stringify(dialect.reference(model).$ref),
      ),
    );
  return {
    ...(dialect.old ? { swagger: '2.0' } : { openapi: version }),
    paths,
    ...(dialect.old
      ? { definitions: models, securityDefinitions: schemes }
      : { components: { schemas: models, securitySchemes: schemes } }),
    ...(validators.length > 0 && {
      'x-amazon-apigateway-request-validators': Object.fromEntries(
        validators.map(({ name, validateRequestBody, validateRequestParameters }) => [
          name,
          { validateRequestBody, validateRequestParameters },
        ]),
      ),
    }),
    ...more,
  };
}
