import { isObject } from '@emu/wire';
import type { Json, JsonObject } from '../documents/content.ts';
import { boundParameters } from '../documents/parameters.ts';
import { referencesIn, substitute } from '../documents/references.ts';
import { StepFailure } from './failures.ts';
import type { AutomationRecord } from './records.ts';
import { memberAt } from './values.ts';

/** Context in which a value's references are resolved. */
export interface ReferenceContext {
  readonly record: Pick<AutomationRecord, 'id' | 'parameters' | 'variables' | 'startedAt'>;
  readonly content: JsonObject;
  readonly accountId: string;
  readonly region: string;
  /** Returns the outputs of the last run of a step; undefined if it has not run. */
  outputsOf(step: string): JsonObject | undefined;
  /** Reads a parameter of Parameter Store. @throws AwsError */
  parameter(name: string): Promise<string>;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the value of a system variable. */
function systemValue(reference: string, { record, accountId, region }: ReferenceContext): Json | undefined {
  const time = new Date(record.startedAt);
  const date = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  switch (reference.toLowerCase()) {
    case 'global:account_id':
      return accountId;
    case 'global:region':
      return region;
    case 'global:date':
      return date;
    case 'global:date_time':
      return `${date}_${two(time.getUTCHours())}.${two(time.getUTCMinutes())}.${two(time.getUTCSeconds())}`;
    case 'automation:execution_id':
      return record.id;
    default:
      return undefined;
  }
}

/**
 * Resolves all references in double braces in a value.
 * @param lenient whether unknown references stay unchanged
 * @throws StepFailure for references that are missing or unreadable
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-variables.html
 */
export async function resolveValue(value: Json, around: ReferenceContext, lenient = false): Promise<Json> {
  const { record, content } = around;
  const stored = new Map<string, string>();
  for (const reference of new Set(referencesIn(value))) {
    if (!reference.startsWith('ssm:')) continue;
    const name = reference.slice('ssm:'.length);
    try {
      stored.set(reference, await around.parameter(name));
    } catch (error) {
      throw new StepFailure(`Failed to resolve input: ${reference}. ${(error as Error).message}`, 'InputResolution');
    }
  }
  const parameters = boundParameters(content, record.parameters);
  const find = (reference: string): Json | undefined => {
    if (reference.startsWith('ssm:')) return stored.get(reference);
    if (reference.startsWith('variable:')) {
      const [, name = '', rest = ''] = /^variable:([A-Za-z0-9_]+)\.?(.*)$/s.exec(reference) ?? [];
      const variable = record.variables[name];
      return variable === undefined ? undefined : memberAt(variable, rest);
    }
    const system = systemValue(reference, around);
    if (system !== undefined) return system;
    if (Object.hasOwn(parameters, reference)) return parameters[reference];
    const [, first = '', rest = ''] = /^([A-Za-z0-9_]+)[.]?(.*)$/s.exec(reference) ?? [];
    const outputs = around.outputsOf(first);
    if (outputs) return outputs[rest] ?? memberAt(outputs, rest);
    const parameter = parameters[first];
    return isObject(parameter) || Array.isArray(parameter) ? memberAt(parameter, rest) : undefined;
  };
  // Defaults of parameters may refer to Parameter Store themselves.
  const replaced = substitute(value, (reference) => {
    const found = find(reference);
    if (found === undefined && !lenient)
      throw new StepFailure(
        `Failed to resolve input: ${reference} to type String. ${reference} is not defined in the Automation Document.`,
        'InputResolution',
      );
    return found;
  });
  const nested = referencesIn(replaced).filter((reference) => reference.startsWith('ssm:') && !stored.has(reference));
  return nested.length > 0 && !lenient ? resolveValue(replaced, around, true) : replaced;
}
