import { isObject } from '@emu/wire';
import { copy, defined, type Obj } from '../values.ts';

/**
 * Converts a definition to OpenAPI 3.
 * @param generated whether it was generated from routes; in a custom one only sections are moved
 */
export function inVersion(body: Obj, version: string | undefined, generated: boolean, properties: Obj): Obj {
  if (!version?.startsWith('3') || (!generated && body.swagger !== undefined)) return body;
  const {
    swagger: _,
    'x-amazon-apigateway-endpoint-configuration': endpoint,
    securityDefinitions,
    definitions,
    ...rest
  } = body;
  const given = isObject(rest.components) ? rest.components : {};
  const components = defined({
    ...given,
    securitySchemes: securityDefinitions ?? given.securitySchemes,
    schemas: definitions ? { ...(given.schemas as Obj), ...(definitions as Obj) } : given.schemas,
  });
  // With authorizers, AWS processes a definition twice, so that preflight responses get two schemas.
  const twice = isObject(properties.Auth) && Object.keys(properties.Auth).length > 0;
  const schemas = (methods: Obj) => (twice ? withSchemas(withSchemas(methods)) : withSchemas(methods));
  const paths = Object.fromEntries(
    Object.entries(isObject(rest.paths) ? rest.paths : {}).map(([path, methods]) => [
      path,
      isObject(methods) ? withBodies(schemas(methods)) : methods,
    ]),
  );
  return defined({
    ...rest,
    openapi: generated ? version : rest.openapi,
    paths: rest.paths === undefined ? undefined : paths,
    servers: endpoint ? [{ 'x-amazon-apigateway-endpoint-configuration': endpoint }] : rest.servers,
    components: Object.keys(components).length ? components : undefined,
  });
}

/** Moves body parameters of a path's methods to request bodies. */
function withBodies(methods: Obj): Obj {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => {
      const parameters = isObject(method) && Array.isArray(method.parameters) ? method.parameters : [];
      const body = parameters.find((parameter) => isObject(parameter) && parameter.in === 'body');
      if (!isObject(method) || !isObject(body) || !isObject(body.schema)) return [name, method];
      const others = parameters.filter((parameter) => parameter !== body);
      const { parameters: _, ...rest } = method;
      const reference = String(body.schema.$ref).replace('#/definitions/', '#/components/schemas/');
      const requestBody = defined({
        content: { 'application/json': { schema: { $ref: reference } } },
        required: body.required,
      });
      return [name, { ...rest, ...(others.length && { parameters: others }), requestBody }];
    }),
  );
}

/** Moves types of preflight responses in a path's methods to schemas. */
function withSchemas(methods: Obj): Obj {
  const { options } = methods;
  if (!isObject(options) || options.summary !== 'CORS support') return methods;
  const { consumes: _, produces: __, ...rest } = options;
  const responses = copy(options.responses) as Record<string, { headers?: Record<string, unknown> }>;
  for (const response of Object.values(responses))
    for (const [name, header] of Object.entries(response.headers ?? {})) response.headers![name] = { schema: header };
  return { ...methods, options: { ...rest, responses } };
}

/** Unescapes `~1` to slashes, as in API properties. */
export function plainSlashes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSlashes);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainSlashes(inner)]));
  return typeof value === 'string' ? value.replaceAll('~1', '/') : value;
}

/** Merges event methods into a definition, if it has paths. */
export function mergeDefinitions(body: Obj, made: Obj): Obj {
  const { paths } = body;
  if (!isObject(paths)) return body;
  for (const [path, methods] of Object.entries(made.paths as Record<string, Obj>)) {
    const known = isObject(paths[path]) ? paths[path] : {};
    for (const [key, method] of Object.entries(methods))
      known[key] = isObject(known[key]) ? { ...known[key], ...(method as Obj) } : method;
    paths[path] = known;
  }
  const { 'x-amazon-apigateway-request-validators': validators } = made;
  if (validators) body['x-amazon-apigateway-request-validators'] ??= validators;
  return body;
}
