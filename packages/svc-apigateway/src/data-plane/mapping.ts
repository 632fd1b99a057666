import { contextValue, findByPath, InputVariable, renderTemplate, TemplateError, UTIL } from '@emu/apigateway-common';
import { optionalText, parseJson } from '@emu/wire';
import type { Call } from './call.ts';
import { configurationFault } from './fault.ts';

/** Parses a JSON body; undefined if it is invalid. */
export function jsonOf(body: Buffer | string): unknown {
  try {
    return parseJson(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * Evaluates a mapping expression of a request, for example `method.request.header.X`.
 * @returns all values for a multi-value expression; none if missing
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/request-response-data-mappings.html
 */
export function requestValues(call: Call, source: string): readonly string[] {
  if (source.startsWith("'")) return [source.slice(1, source.endsWith("'") ? -1 : undefined)];
  const { request, pathParameters } = call;
  const one = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
  const [, place, name = ''] = /^method\.request\.([a-z]+)(?:\.(.+))?$/s.exec(source) ?? [];
  switch (place) {
    case 'path':
      return one(Object.hasOwn(pathParameters, name) ? pathParameters[name] : undefined);
    case 'querystring':
      return one(request.query.get(name));
    case 'header':
      return one(request.headers.get(name));
    case 'multivaluequerystring':
      return request.query.all(name);
    case 'multivalueheader':
      return request.headers.all(name);
    case 'body':
      return one(
        name === ''
          ? request.body.toString()
          : optionalText(findByPath(jsonOf(request.body), name.startsWith('$') ? name : `$.${name}`)),
      );
    default:
      return one(sharedValue(call, source));
  }
}

/** Evaluates an expression available for requests and responses. */
export function sharedValue({ stage, context }: Call, source: string): string | undefined {
  if (source.startsWith("'")) return source.slice(1, source.endsWith("'") ? -1 : undefined);
  if (source.startsWith('stageVariables.')) {
    const name = source.slice('stageVariables.'.length);
    return Object.hasOwn(stage.variables, name) ? stage.variables[name] : undefined;
  }
  if (source.startsWith('context.')) return optionalText(contextValue(context, source.slice('context.'.length)));
  return undefined;
}

/**
 * Renders a template of the API.
 * @param body for `$input`
 * @throws GatewayFault if the template fails
 */
export async function render(call: Call, template: string, body: Buffer): Promise<string> {
  // Fast path: many templates, especially of mocks, are constant.
  if (!template.includes('$') && !template.includes('#')) return template;
  try {
    return await renderTemplate(template, {
      input: new InputVariable(body.toString(), call.parameters),
      context: call.context,
      util: UTIL,
      stageVariables: { ...call.stage.variables },
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw configurationFault(`Unable to transform the request: ${error.message}`);
  }
}
