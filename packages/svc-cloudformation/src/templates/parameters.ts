import { RegexError, WholeRegex } from '@emu/core/regex';
import type { ServiceCaller } from '@emu/core/service';
import type { Parameter } from '@emu/service-types/cloudformation';
import { badTemplate, invalid } from '../errors.ts';
import type { Template, TemplateParameter } from './template.ts';

/** The value of a parameter of a stack. */
export interface ParameterRecord {
  key: string;
  /** As given: for Parameter Store types the name. */
  value: string;
  /** Value from Parameter Store. */
  resolved?: string;
  noEcho?: true;
}

const SSM_VALUE = /^AWS::SSM::Parameter::Value<(.+)>$/;
const LIST = /^(CommaDelimitedList|List<.+>)$/;
const AWS_TYPE = /^AWS::(EC2::|Route53::HostedZone::Id|SSM::Parameter::Name)/;

const isTrue = (value: unknown): boolean => value === true || value === 'true';

const innerType = (type: string): string => SSM_VALUE.exec(type)?.[1] ?? type;

function checkType(type: string): void {
  const inner = innerType(type);
  const element = /^List<(.+)>$/.exec(inner)?.[1] ?? inner;
  if (!['String', 'Number', 'CommaDelimitedList'].includes(element) && !AWS_TYPE.test(element))
    throw badTemplate(`Unrecognized parameter type: ${type}`);
}

/** Returns the evaluated value of a parameter: an array for list types. */
export function parameterValue({ Type }: TemplateParameter, { value, resolved }: ParameterRecord): unknown {
  const text = resolved ?? value;
  if (!LIST.test(innerType(Type))) return text;
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

const textOfDefault = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/**
 * Rejects a new value for a parameter that keeps its previous one. An empty value counts as none.
 * @throws AwsError `ValidationError`
 */
export function checkPreviousValue({ ParameterKey, ParameterValue }: Parameter): void {
  if (ParameterValue)
    throw invalid(
      `Invalid input for parameter key ${ParameterKey}. Cannot specify usePreviousValue as true and non empty value for a parameter`,
    );
}

/**
 * Returns the values of a template's parameters.
 * @param given parameters of the request
 * @param previous values of the stack, for UsePreviousValue
 * @throws AwsError `ValidationError` with CloudFormation's message
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html
 */
export async function resolveParameters(
  template: Template,
  given: readonly Parameter[],
  previous: readonly ParameterRecord[],
  caller: Pick<ServiceCaller, 'call'>,
): Promise<ParameterRecord[]> {
  const byKey = new Map(given.map((parameter) => [parameter.ParameterKey ?? '', parameter]));
  const before = new Map(previous.map((parameter) => [parameter.key, parameter]));
  const unknown = [...byKey.keys()].filter((key) => !Object.hasOwn(template.Parameters, key));
  if (unknown.length) throw invalid(`Parameters: [${unknown.join(', ')}] do not exist in the template`);
  const missing: string[] = [];
  const records: ParameterRecord[] = [];
  for (const [key, declared] of Object.entries(template.Parameters)) {
    checkType(declared.Type);
    const parameter = byKey.get(key);
    if (parameter?.UsePreviousValue) {
      checkPreviousValue(parameter);
      if (!before.has(key))
        throw invalid(
          `Invalid input for parameter key ${key}. Cannot specify usePreviousValue as true for a parameter key not in the previous template`,
        );
    }
    const value = parameter?.UsePreviousValue ? before.get(key)?.value : parameter?.ParameterValue;
    const text = value ?? (declared.Default === undefined ? undefined : textOfDefault(declared.Default));
    if (text === undefined) {
      if (SSM_VALUE.test(declared.Type))
        throw invalid(`Parameter ${key} should either have input value or default value`);
      missing.push(key);
      continue;
    }
    if (!SSM_VALUE.test(declared.Type)) checkConstraints(key, declared, text);
    records.push({ key, value: text, ...(isTrue(declared.NoEcho) && { noEcho: true as const }) });
  }
  if (missing.length) throw invalid(`Parameters: [${missing.join(', ')}] must have values`);
  return resolveStored(template, records, caller);
}

/**
 * Returns the stored name of a parameter. Names with a single part may start with a slash, which Parameter Store omits.
 */
const storedName = (name: string): string => name.replace(/^\/(?=[^/]*$)/, '');

async function resolveStored(
  template: Template,
  records: readonly ParameterRecord[],
  caller: Pick<ServiceCaller, 'call'>,
): Promise<ParameterRecord[]> {
  const stored = records.filter(({ key }) => SSM_VALUE.test(template.Parameters[key]!.Type));
  if (stored.length === 0) return [...records];
  const values = new Map<string, string>();
  const names = [...new Set(stored.map(({ value }) => value))];
  for (let start = 0; start < names.length; start += 10) {
    const { Parameters = [] } = await caller.call('ssm', 'GetParameters', { Names: names.slice(start, start + 10) });
    for (const { Name, ARN, Value, Type } of Parameters)
      if (Type !== 'SecureString') for (const name of [Name, ARN]) if (name) values.set(storedName(name), Value!);
  }
  const unfound = names.filter((name) => !values.has(storedName(name)));
  if (unfound.length)
    throw invalid(`Unable to fetch parameters [${unfound.join(',')}] from parameter store for this account.`);
  return records.map((record) =>
    stored.includes(record) ? { ...record, resolved: values.get(storedName(record.value))! } : record,
  );
}

function checkConstraints(key: string, declared: TemplateParameter, text: string): void {
  const problem = constraintProblem(key, declared, text);
  if (!problem) return;
  throw invalid(
    declared.ConstraintDescription === undefined
      ? problem
      : `Parameter ${key} failed to satisfy constraint: ${declared.ConstraintDescription}`,
  );
}

function constraintProblem(key: string, declared: TemplateParameter, text: string): string | undefined {
  const { Type, AllowedValues, AllowedPattern, MinLength, MaxLength, MinValue, MaxValue } = declared;
  const values = LIST.test(Type) ? text.split(',').map((item) => item.trim()) : [text];
  const numeric = Type === 'Number' || Type === 'List<Number>';
  if (numeric && values.some((value) => value.trim() === '' || Number.isNaN(Number(value))))
    return LIST.test(Type) ? `Parameter '${key}' must be a list of numbers.` : `Parameter '${key}' must be a number.`;
  if (AllowedValues && values.some((value) => !AllowedValues.map(String).includes(value)))
    return `Parameter '${key}' must be one of AllowedValues`;
  if (AllowedPattern !== undefined && values.some((value) => !matches(AllowedPattern, value)))
    return `Parameter '${key}' must match pattern ${AllowedPattern}`;
  if (MinLength !== undefined && text.length < Number(MinLength))
    return `Parameter '${key}' must contain at least ${String(MinLength)} characters`;
  if (MaxLength !== undefined && text.length > Number(MaxLength))
    return `Parameter '${key}' must contain at most ${String(MaxLength)} characters`;
  if (MinValue !== undefined && values.some((value) => Number(value) < Number(MinValue)))
    return `Parameter '${key}' must be a number not less than ${String(MinValue)}`;
  if (MaxValue !== undefined && values.some((value) => Number(value) > Number(MaxValue)))
    return `Parameter '${key}' must be a number not greater than ${String(MaxValue)}`;
  return undefined;
}

/**
 * Whether a template's pattern matches a whole value.
 * @throws AwsError `ValidationError` for an invalid pattern
 */
function matches(pattern: string, value: string): boolean {
  try {
    return new WholeRegex(pattern).test(value);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw badTemplate(`Invalid AllowedPattern ${pattern}${error.invalid ? '' : `: ${error.message}`}`);
  }
}
