import { sdkMemberName, sdkServiceOf } from '@emu/core/sdk-names';
import type { MockResponseValidationMode } from '@emu/service-types/stepfunctions';
import { isObject, type ServiceModel, type Shape } from '@emu/wire';
import type { State } from '../asl/definition.ts';
import type { Json } from '../asl/json.ts';
import { validation } from '../errors.ts';
import { OPTIMISED, parseIntegration } from '../integrations/table.ts';

/** Operation whose answer a task's result is, as emu names it. */
export interface ResultOperation {
  readonly service: string;
  readonly operation: string;
  /** Members that integrations make something else of, which may be anything. */
  readonly free: readonly string[];
  /** Whether members are named as by the SDK for Java, rather than as by the service. */
  readonly renamed: boolean;
}

/** Times of an execution that was waited for, which are numbers there. */
const TIMES = ['StartDate', 'StopDate', 'RedriveDate'];

/** Members of the results of integrations that wait, besides those of the operation that is asked meanwhile. */
const AWAITED: Readonly<Record<string, Omit<ResultOperation, 'renamed'>>> = {
  'states:startExecution.sync': { service: 'stepfunctions', operation: 'DescribeExecution', free: TIMES },
  'states:startExecution.sync:2': {
    service: 'stepfunctions',
    operation: 'DescribeExecution',
    free: [...TIMES, 'Input', 'Output'],
  },
};

/**
 * The operation whose answer a task's result is: that by which AWS looks for the end, where it is waited for. Undefined
 * where somebody else sends it with a token.
 */
export function resultOperation({ Type: type, Resource: resource }: State): ResultOperation | undefined {
  const named = type === 'Task' && resource !== undefined ? parseIntegration(resource) : undefined;
  if (!named) return undefined;
  const { sdk, resourceType, resource: integration, action, form } = named;
  const awaited = AWAITED[`${resourceType}:${integration}`];
  if (awaited) return { ...awaited, renamed: true };
  if (form !== '') return undefined;
  const optimised = sdk === undefined ? OPTIMISED[resourceType] : undefined;
  const service = sdk === undefined ? optimised?.service : sdkServiceOf(sdk);
  if (service === undefined) return undefined;
  const operation = action.charAt(0).toUpperCase() + action.slice(1);
  const renamed = sdk !== undefined || optimised?.pascal === true;
  return { service, operation, free: resourceType === 'lambda' ? ['Payload'] : [], renamed };
}

/** Whether a task ends only when somebody else says so, or an execution ends that it has started. */
export function isAwaited({ Type: type, Resource: resource }: State): boolean {
  if (type !== 'Task' || resource === undefined) return false;
  return /:activity:/.test(resource) || (parseIntegration(resource)?.form ?? '') !== '';
}

const problem = (what: string) => validation(`Mock result schema validation error: ${what}`);

/** What values of a shape are in JSON. */
const KINDS: Readonly<Record<Shape['type'], string>> = {
  structure: 'an object',
  map: 'an object',
  list: 'an array',
  string: 'a string',
  timestamp: 'a string',
  blob: 'a string',
  integer: 'a number',
  long: 'a number',
  float: 'a number',
  double: 'a number',
  boolean: 'a boolean',
};

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Holds a mocked result against the model of the operation that would answer it. Members that the model lacks are let
 * through, as by AWS.
 * @param mode `PRESENT` lets required members be missing
 * @throws AwsError `ValidationException` for what the operation would not answer
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/test-state-isolation.html
 */
export function checkResult(
  result: Json,
  { operation, free, renamed }: ResultOperation,
  { operations, shapes }: ServiceModel,
  mode: Exclude<MockResponseValidationMode, 'NONE'>,
): void {
  const check = (value: Json, name: string, shape: Shape): void => {
    if (kindOf(value) !== KINDS[shape.type]) throw problem(`Field '${name}' must be ${KINDS[shape.type]}`);
    if (Array.isArray(value)) {
      checkSize(value.length, name, shape);
      for (const item of value) check(item, name, shapes[shape.member!.shape]!);
    } else if (isObject(value) && shape.type === 'map')
      for (const [key, item] of Object.entries(value)) check(item, key, shapes[shape.value!.shape]!);
    else if (isObject(value)) checkMembers(value, shape);
    else if (typeof value === 'string') checkText(value, name, shape);
    else if (typeof value === 'number') checkNumber(value, name, shape);
  };
  const checkMembers = (value: { [key: string]: Json }, shape: Shape): void => {
    for (const [member, { shape: of }] of Object.entries(shape.members ?? {})) {
      const name = renamed ? sdkMemberName(member) : member;
      const item = value[name];
      if (item !== undefined && item !== null) {
        if (!free.includes(name)) check(item, name, shapes[of]!);
      } else if (mode === 'STRICT' && shape.required?.includes(member))
        throw problem(`Required field '${name}' is missing`);
    }
  };
  const output = operations[operation]?.output;
  if (output && isObject(result)) checkMembers(result, shapes[output.shape]!);
}

function checkSize(length: number, name: string, { min = 0, max = Number.POSITIVE_INFINITY }: Shape): void {
  if (length < min) throw problem(`Field '${name}' is smaller than the minimum length`);
  if (length > max) throw problem(`Field '${name}' exceeds the maximum length`);
}

function checkText(value: string, name: string, shape: Shape): void {
  if (shape.enum && !shape.enum.includes(value)) throw problem(`Field '${name}' is not an expected value`);
  if (shape.type !== 'timestamp') checkSize(value.length, name, shape);
}

function checkNumber(value: number, name: string, { min, max }: Shape): void {
  if (min !== undefined && value < min) throw problem(`Field '${name}' is less than the minimum value`);
  if (max !== undefined && value > max) throw problem(`Field '${name}' exceeds the maximum value`);
}
