import { isObject } from '@emu/wire';
import { eventProblem } from '../errors.ts';
import type { Obj } from '../values.ts';
import { printed } from '../words.ts';
import type { RouteEvent } from './events.ts';

const REFERENCE = /^method\.request\.(querystring|path|header)\.(.+)$/;
const INVALID = "Invalid value for 'RequestParameters' property.";
const PLACES: Readonly<Record<string, string>> = { querystring: 'query', path: 'path', header: 'header' };

/**
 * Adds request parameters and body to a method.
 * @throws SamProblem
 */
export function describeRequest(route: RouteEvent, method: Obj, body: Obj, properties: Obj): void {
  addModel(route, method, body, properties);
  addParameters(route, method);
}

function addModel(
  { name, method: verb, path, properties: { RequestModel: given } }: RouteEvent,
  method: Obj,
  body: Obj,
  { Models }: Obj,
): void {
  if (given === undefined) return;
  const on = `on API method [${verb}] for path [${path}]`;
  if (!isObject(given)) throw eventProblem(name, "Property 'RequestModel' should be a map.");
  if (given.Model === undefined) throw eventProblem(name, "Property 'RequestModel.Model' is required.");
  const { Model: model, Required, ValidateBody, ValidateParameters } = given;
  if (Models && !isObject(Models))
    throw eventProblem(
      name,
      `Unable to set RequestModel [${printed(model)}] ${on} because the related API Models defined is of invalid type.`,
    );
  if (!isObject(Models) || !Object.keys(Models).length)
    throw eventProblem(
      name,
      `Unable to set RequestModel [${model}] ${on} because the related API does not define any Models.`,
    );
  if (typeof model !== 'string') {
    throw eventProblem(
      name,
      `Unable to set RequestModel [${printed(model)}] ${on} because the related API does not contain valid Models.`,
    );
  }
  if (!Object.hasOwn(Models, model))
    throw eventProblem(
      name,
      `Unable to set RequestModel [${model}] ${on} because it wasn't defined in the API's Models.`,
    );
  const reference = model.toLowerCase();
  const parameter: Obj = { in: 'body', name: reference, schema: { $ref: `#/definitions/${reference}` } };
  if (Required !== undefined) parameter.required = Required;
  method.parameters = [...(Array.isArray(method.parameters) ? method.parameters : []), parameter];
  if (ValidateBody === undefined && ValidateParameters === undefined) return;
  if ([ValidateBody, ValidateParameters].some((value) => value !== undefined && typeof value !== 'boolean'))
    throw eventProblem(
      name,
      `Unable to set Validator to RequestModel [${model}] ${on} ValidateBody and ValidateParameters must be a boolean type, strings or intrinsics are not supported.`,
    );
  const [validatesBody, validatesParameters] = [ValidateBody === true, ValidateParameters === true];
  const validator = validatesBody
    ? validatesParameters
      ? 'body-and-params'
      : 'body-only'
    : validatesParameters
      ? 'params-only'
      : 'no-validation';
  body['x-amazon-apigateway-request-validators'] = {
    ...(body['x-amazon-apigateway-request-validators'] as Obj),
    [validator]: { validateRequestBody: validatesBody, validateRequestParameters: validatesParameters },
  };
  method['x-amazon-apigateway-request-validator'] = validator;
}

function addParameters({ name, properties: { RequestParameters: given } }: RouteEvent, method: Obj): void {
  if (given === undefined) return;
  if (!Array.isArray(given)) throw eventProblem(name, "Property 'RequestParameters' should be a list.");
  const keys: string[] = [];
  const parameters: Obj[] = [];
  for (const entry of given) {
    if (typeof entry !== 'string' && !isObject(entry))
      throw eventProblem(name, `${INVALID} Property must be either a string or an object`);
    const [reference, settings] = typeof entry === 'string' ? [entry, {}] : (Object.entries(entry)[0] ?? ['', {}]);
    if (!isObject(settings) || Object.keys(settings).some((key) => key !== 'Required' && key !== 'Caching'))
      throw eventProblem(name, `${INVALID} Values must be an object, e.g { Required: true, Caching: false }`);
    const match = REFERENCE.exec(reference);
    if (!match)
      throw eventProblem(
        name,
        `${INVALID} Keys must be in the format 'method.request.[querystring|path|header].{value}', e.g 'method.request.header.Authorization'.`,
      );
    if (settings.Caching === true) keys.push(reference);
    const place = PLACES[match[1]!]!;
    parameters.push({ in: place, name: match[2], type: 'string', required: settings.Required ?? false });
  }
  method.parameters = [...(Array.isArray(method.parameters) ? method.parameters : []), ...parameters];
  const integration = method['x-amazon-apigateway-integration'];
  if (keys.length && isObject(integration)) integration.cacheKeyParameters = keys;
}
