import { isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import { defined, isIntrinsic, type Obj } from '../values.ts';
import { pathItems } from './paths.ts';

const ALL = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
const PROPERTIES = ['AllowCredentials', 'AllowHeaders', 'AllowMethods', 'AllowOrigin', 'MaxAge'];
const ANY = 'x-amazon-apigateway-any-method';

/**
 * Adds responses to CORS preflight requests to the paths of a definition.
 * @throws SamProblem
 */
export function addCors(id: string, body: Obj, { Cors: cors }: Obj): void {
  if (cors === undefined || cors === null) return;
  const whole = typeof cors === 'string' || isIntrinsic(cors);
  if (!whole && !isObject(cors)) throw resourceProblem(id, "Invalid value for 'Cors' property.");
  const unknown = whole ? undefined : Object.keys(cors as Obj).find((name) => !PROPERTIES.includes(name));
  if (unknown !== undefined) throw resourceProblem(id, `Invalid key '${unknown}' for 'Cors' property.`);
  const {
    AllowMethods,
    AllowHeaders,
    AllowOrigin = whole ? cors : "'*'",
    MaxAge,
    AllowCredentials,
  } = (whole ? {} : cors) as Obj;
  if (AllowOrigin === '')
    throw resourceProblem(
      id,
      'Structure of the SAM template is invalid. Invalid input. Value for AllowedOrigins is required',
    );
  if (AllowCredentials === true && (AllowOrigin === "'*'" || AllowOrigin === '*'))
    throw resourceProblem(
      id,
      "Unable to add Cors configuration because 'AllowCredentials' can not be true when 'AllowOrigin' is \"'*'\" or not set",
    );
  const { paths } = body;
  if (!isObject(paths))
    throw resourceProblem(
      id,
      "Unable to add Cors configuration because 'DefinitionBody' does not contain a valid Swagger definition.",
    );
  for (const [, methods] of pathItems(body)) {
    if (Object.hasOwn(methods, 'options')) continue;
    const parameters = defined({
      'Access-Control-Allow-Headers': AllowHeaders,
      'Access-Control-Allow-Methods': AllowMethods ?? `'${methodsOf(methods).join(',')}'`,
      'Access-Control-Allow-Origin': AllowOrigin,
      'Access-Control-Max-Age': MaxAge,
      'Access-Control-Allow-Credentials': AllowCredentials === true ? "'true'" : undefined,
    });
    methods.options = preflight(parameters);
  }
}

/** Returns the methods of a path in order, with OPTIONS. */
function methodsOf(methods: Obj): string[] {
  if (methods[ANY] !== undefined) return ALL;
  const named = Object.keys(methods)
    .filter((name) => METHODS.has(name))
    .map((name) => name.toUpperCase());
  return [...new Set([...named, 'OPTIONS'])].sort();
}

const preflight = (parameters: Obj): Obj => ({
  summary: 'CORS support',
  consumes: ['application/json'],
  produces: ['application/json'],
  'x-amazon-apigateway-integration': {
    type: 'mock',
    requestTemplates: { 'application/json': '{\n  "statusCode" : 200\n}\n' },
    responses: {
      default: {
        statusCode: '200',
        responseParameters: Object.fromEntries(
          Object.entries(parameters).map(([name, value]) => [`method.response.header.${name}`, value]),
        ),
        responseTemplates: { 'application/json': '{}\n' },
      },
    },
  },
  responses: {
    '200': {
      description: 'Default response for CORS method',
      headers: Object.fromEntries(
        Object.keys(parameters).map((name) => [
          name,
          { type: name === 'Access-Control-Max-Age' ? 'integer' : 'string' },
        ]),
      ),
    },
  },
});
