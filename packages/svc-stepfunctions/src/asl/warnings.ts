import { isObject } from '@emu/wire';
import type { Json, JsonObject } from './json.ts';

/** A warning about a valid definition with possibly unintended behaviour. */
export interface Warning {
  code: 'NO_DOLLAR' | 'NO_PATH' | 'PASS_RESULT_IS_STATIC';
  message: string;
  location: string;
}

/**
 * AWS's messages.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ValidateStateMachineDefinitionDiagnostic.html
 */
const MESSAGES: Readonly<Record<Warning['code'], string>> = {
  NO_DOLLAR: 'No .$ on a field that appears to be a JSONPath or Intrinsic Function.',
  NO_PATH: "Field value looks like a path, but field name does not end with 'Path'.",
  PASS_RESULT_IS_STATIC: 'Attempt to use a path in the result of a pass state.',
};

const PATH = /^\$\$?(?:$|[.[])/;
const INTRINSIC = /^States\.[A-Za-z]+\(/;
/** Fields of states with a `Path` alternative. */
const WITH_PATH = ['Seconds', 'Timestamp', 'TimeoutSeconds', 'HeartbeatSeconds', 'MaxConcurrency', 'Error', 'Cause'];
const TEMPLATES = ['Parameters', 'ResultSelector', 'ItemSelector', 'Assign'];

/** Returns the warnings of a valid definition. JSONata has no paths. */
export function warningsOf(definition: JsonObject): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], location: string): void => {
    warnings.push({ code, message: MESSAGES[code], location });
  };
  const isPath = (value: Json | undefined): boolean => typeof value === 'string' && PATH.test(value);

  const template = (value: Json | undefined, at: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) template(item, `${at}[${index}]`);
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (key.endsWith('.$')) continue;
      if (isPath(item) || (typeof item === 'string' && INTRINSIC.test(item))) warn('NO_DOLLAR', `${at}/${key}`);
      else template(item, `${at}/${key}`);
    }
  };

  const rule = (value: Json, at: string): void => {
    if (!isObject(value)) return;
    for (const field of ['And', 'Or'])
      if (Array.isArray(value[field]))
        for (const [index, part] of value[field].entries()) rule(part, `${at}/${field}[${index}]`);
    if (value.Not !== undefined) rule(value.Not, `${at}/Not`);
    for (const [key, item] of Object.entries(value))
      if (/(?:Equals|Than)$/.test(key) && isPath(item)) warn('NO_PATH', `${at}/${key}`);
  };

  const state = (value: JsonObject, language: Json, at: string): void => {
    for (const [index, branch] of (Array.isArray(value.Branches) ? value.Branches : []).entries())
      block(branch, language, `${at}/Branches[${index}]`);
    for (const field of ['ItemProcessor', 'Iterator']) block(value[field] ?? null, language, `${at}/${field}`);
    if ((value.QueryLanguage ?? language) === 'JSONata') return;
    for (const field of TEMPLATES) template(value[field], `${at}/${field}`);
    for (const field of WITH_PATH) if (isPath(value[field])) warn('NO_PATH', `${at}/${field}`);
    for (const [index, choice] of (Array.isArray(value.Choices) ? value.Choices : []).entries())
      rule(choice, `${at}/Choices[${index}]`);
    if (value.Type === 'Pass' && isPath(value.Result)) warn('PASS_RESULT_IS_STATIC', `${at}/Result`);
  };

  const block = (value: Json, outer: Json, at: string): void => {
    if (!isObject(value) || !isObject(value.States)) return;
    const language = value.QueryLanguage ?? outer;
    for (const [name, item] of Object.entries(value.States))
      if (isObject(item)) state(item, language, `${at}/States/${name}`);
  };

  block(definition, 'JSONPath', '');
  return warnings;
}
