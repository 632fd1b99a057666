import { isObject, textOf } from '@emu/wire';
import { type Json, type JsonObject, objectsIn } from '../documents/content.ts';
import { boundParameters, type ParameterValues } from '../documents/parameters.ts';
import { substitute } from '../documents/references.ts';

/** A plugin of a document, as a node runs it. */
export interface Plugin {
  readonly name: string;
  readonly action: string;
  readonly lines: readonly string[];
  readonly workingDirectory: string | undefined;
  /** Timeout in seconds. */
  readonly timeout: number;
  /** Platforms named in its precondition; undefined for all. */
  readonly platform: string | undefined;
}

/** Default timeout of scripts, in seconds. */
const DEFAULT_TIMEOUT = 3600;

const linesOf = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((line) => textOf(line));

/** Returns script lines, with a reference to a list of commands replaced by the list. */
function scriptOf(value: Json | undefined, resolve: (reference: string) => Json | undefined): string[] {
  if (value === undefined) return [];
  const resolved = substitute(value, resolve);
  return (Array.isArray(resolved) ? resolved : [resolved]).flatMap(linesOf);
}

function platformOf(precondition: Json | undefined): string | undefined {
  if (!isObject(precondition)) return undefined;
  const { StringEquals } = precondition;
  if (!Array.isArray(StringEquals)) return undefined;
  return StringEquals.find((value): value is string => typeof value === 'string' && !/platformType/.test(value));
}

/** Returns the plugins of a Command document with the parameters of a request. */
export function pluginsOf(content: JsonObject, given: ParameterValues): Plugin[] {
  const parameters = boundParameters(content, given);
  const resolve = (reference: string): Json | undefined => parameters[reference];
  const plugin = (name: string, action: string, inputs: JsonObject, precondition?: Json): Plugin => {
    const directory = inputs.workingDirectory === undefined ? '' : substitute(inputs.workingDirectory, resolve);
    const timeout = Number(
      inputs.timeoutSeconds === undefined ? DEFAULT_TIMEOUT : substitute(inputs.timeoutSeconds, resolve),
    );
    return {
      name,
      action,
      lines: scriptOf(inputs.runCommand, resolve),
      workingDirectory: typeof directory === 'string' && directory !== '' ? directory : undefined,
      timeout: timeout > 0 ? timeout : DEFAULT_TIMEOUT,
      platform: platformOf(precondition),
    };
  };
  if (isObject(content.runtimeConfig))
    return Object.entries(content.runtimeConfig).map(([action, config]) => {
      const properties = isObject(config) ? config.properties : undefined;
      const first = Array.isArray(properties) ? properties[0] : properties;
      return plugin(action, action, isObject(first) ? first : {});
    });
  const steps = objectsIn(content.mainSteps);
  return steps.map(({ name = '', action = '', inputs, precondition }) =>
    plugin(String(name), String(action), isObject(inputs) ? inputs : {}, precondition),
  );
}
