import type { ParameterStringFilter, ParametersFilter } from '@emu/service-types/ssm';
import { ssmError } from '../errors.ts';
import { currentVersion, type Parameter } from './table.ts';

/** Predicate of listed parameters. */
type Test = (parameter: Parameter) => boolean;

const DESCRIBE_KEYS = ['Path', 'Name', 'Type', 'KeyId', 'Tier', 'DataType', 'tag:'];
const PATH_KEYS = ['Type', 'KeyId', 'Label'];

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  Path: ['Recursive', 'OneLevel'],
  Name: ['BeginsWith', 'Equals', 'Contains'],
  KeyId: ['BeginsWith', 'Equals'],
};

const equalsAny =
  (values: readonly string[], read: (parameter: Parameter) => string | undefined): Test =>
  (parameter) => {
    const value = read(parameter);
    return value !== undefined && values.includes(value);
  };

/** Removes the optional leading slash of a single-level name. */
const bare = (name: string): string => name.replace(/^\//, '');

function nameTest(option: string, values: readonly string[]): Test {
  const wanted = values.map(bare);
  return ({ name }) => {
    const own = bare(name);
    return wanted.some((value) => {
      if (option === 'Contains') return own.includes(value);
      return option === 'BeginsWith' ? own.startsWith(value) : own === value;
    });
  };
}

function pathTest(option: string, values: readonly string[]): Test {
  const prefixes = values.map((path) => (path.endsWith('/') ? path : `${path}/`));
  return ({ name }) => {
    const path = name.startsWith('/') ? name : `/${name}`;
    return prefixes.some(
      (prefix) => path.startsWith(prefix) && (option === 'Recursive' || !path.slice(prefix.length).includes('/')),
    );
  };
}

function keyTest(option: string, values: readonly string[]): Test {
  return (parameter) => {
    const key = currentVersion(parameter).keyId;
    return (
      key !== undefined && values.some((value) => (option === 'BeginsWith' ? key.startsWith(value) : key === value))
    );
  };
}

/**
 * Returns the predicate for parameter filters.
 * @param where operation with the filters: DescribeParameters and GetParametersByPath support different ones
 * @throws AwsError `InvalidFilterKey`, `InvalidFilterOption`, `InvalidFilterValue`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ParameterStringFilter.html
 */
export function parameterFilter(filters: readonly ParameterStringFilter[], where: 'describe' | 'path'): Test {
  const keys = where === 'describe' ? DESCRIBE_KEYS : PATH_KEYS;
  const seen = new Set<string>();
  const tests = filters.map((filter) => {
    const { Key } = filter;
    if (!keys.includes(Key) && !(Key.startsWith('tag:') && keys.includes('tag:')))
      throw ssmError(
        'InvalidFilterKey',
        `The following filter key is not valid: ${Key}. Valid filter keys include: [${keys.join(', ')}].`,
      );
    if (seen.has(Key))
      throw ssmError(
        'InvalidFilterKey',
        `The following filter is duplicated in the request: ${Key}. A request can contain only one occurrence of a specific filter.`,
      );
    seen.add(Key);
    return testOf(filter);
  });
  return (parameter) => tests.every((test) => test(parameter));
}

function testOf({ Key, Option, Values }: ParameterStringFilter): Test {
  const allowed = OPTIONS[Key] ?? ['Equals'];
  const option = Option ?? (Key === 'Path' ? 'OneLevel' : 'Equals');
  if (!allowed.includes(option))
    throw ssmError(
      'InvalidFilterOption',
      `The following filter option is not valid: ${option}. Valid options include: [${allowed.join(', ')}].`,
    );
  if (!Values && !Key.startsWith('tag:'))
    throw ssmError('InvalidFilterValue', `The following filter values are missing : null for filter key ${Key}.`);
  const values = Values ?? [];
  switch (Key) {
    case 'Path':
      if (!values.every((path) => path.startsWith('/')))
        throw ssmError('InvalidFilterValue', 'The path of a filter begins with a slash.');
      return pathTest(option, values);
    case 'Name':
      return nameTest(option, values);
    case 'KeyId':
      return keyTest(option, values);
    case 'Type':
      return equalsAny(values, (parameter) => currentVersion(parameter).type);
    case 'Tier':
      return equalsAny(values, (parameter) => currentVersion(parameter).tier);
    case 'DataType':
      return equalsAny(values, (parameter) => currentVersion(parameter).dataType);
    case 'Label':
      return ({ versions }) => versions.some(({ labels }) => labels.some((label) => values.includes(label)));
    default: {
      const tag = Key.slice('tag:'.length);
      return ({ tags }) => Object.hasOwn(tags, tag) && (values.length === 0 || values.includes(tags[tag]!));
    }
  }
}

/** Returns the predicate for the older `Filters` of DescribeParameters. */
export function olderFilter(filters: readonly ParametersFilter[]): Test {
  const tests = filters.map(({ Key, Values }) =>
    Key === 'Name'
      ? nameTest('BeginsWith', Values)
      : Key === 'KeyId'
        ? keyTest('Equals', Values)
        : equalsAny(Values, (parameter) => currentVersion(parameter).type),
  );
  return (parameter) => tests.every((test) => test(parameter));
}
