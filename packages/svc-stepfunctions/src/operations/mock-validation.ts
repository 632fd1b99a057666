import { sdkMemberName, sdkServiceOf } from '@emu/core/sdk-names';
import type { MockResponseValidationMode } from '@emu/service-types/stepfunctions';
import { isObject, type ServiceModel, type Shape } from '@emu/wire';
import type { State } from '../asl/definition.ts';
import { OPTIMISED, parseIntegration } from '../asl/integration-table.ts';
import type { Json } from '../asl/json.ts';
import { invalid } from '../errors.ts';

/** Operation, in emu's naming, whose response is a task's result. */
export interface ResultOperation {
  readonly service: string;
  readonly operation: string;
  /** Members converted by integrations, which accept any value. */
  readonly free: readonly string[];
  /** Whether members are named as in the SDK for Java instead of the service. */
  readonly renamed: boolean;
}

/** Time members of an awaited execution, which are numbers. */
const TIMES = ['StartDate', 'StopDate', 'RedriveDate'];

/** Result members of waiting integrations, besides those of the polled operation. */
const AWAITED: Readonly<Record<string, Omit<ResultOperation, 'renamed'>>> = {
  'states:startExecution.sync': { service: 'stepfunctions', operation: 'DescribeExecution', free: TIMES },
  'states:startExecution.sync:2': {
    service: 'stepfunctions',
    operation: 'DescribeExecution',
    free: [...TIMES, 'Input', 'Output'],
  },
};

/**
 * Returns the operation whose response is a task's result: for waiting tasks the one that AWS polls. Returns undefined
 * if the result is sent with a token.
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

/** Whether a task waits for a token or for an execution that it started. */
export function isAwaited({ Type: type, Resource: resource }: State): boolean {
  if (type !== 'Task' || resource === undefined) return false;
  return /:activity:/.test(resource) || (parseIntegration(resource)?.form ?? '') !== '';
}

const problem = (what: string) => invalid(`Mock result schema validation error: ${what}`);

/** JSON types of shapes. */
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
 * Validates a mocked result against the model of its operation. Members missing in the model are accepted, as in AWS.
 * @param mode `PRESENT` allows required members to be missing
 * @throws AwsError `ValidationException` for an invalid result
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
