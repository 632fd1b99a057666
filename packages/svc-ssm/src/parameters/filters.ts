import type { ParameterStringFilter, ParametersFilter } from '@emu/service-types/ssm';
import { invalid, ssmError } from '../errors.ts';
import { isPath, PATH_REQUIREMENTS } from './names.ts';
import { currentVersion, type Parameter } from './table.ts';

/** Predicate of listed parameters. */
type Test = (parameter: Parameter) => boolean;

const DESCRIBE_KEYS = ['Path', 'Name', 'Type', 'KeyId', 'Tier', 'DataType', 'tag:'];
const PATH_KEYS = ['Type', 'KeyId', 'Label'];

/** Options by key; other keys have `DEFAULT_OPTIONS`. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  Path: ['Recursive', 'OneLevel'],
  Name: ['BeginsWith', 'Equals', 'Contains'],
  Label: ['Equals'],
};
const DEFAULT_OPTIONS = ['BeginsWith', 'Equals'];

/** Values of keys with a fixed set. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Tier: ['Standard', 'Advanced', 'Intelligent-Tiering'],
  Type: ['String', 'StringList', 'SecureString'],
};

/** Beginning of paths of public parameters, which no filter selects. */
const RESERVED = /^\/(?:aws|ssm)/i;

/** Whether any of the values equals a text or, with `BeginsWith`, starts it. */
const fits = (option: string, values: readonly string[], text: string): boolean =>
  values.some((value) => (option === 'BeginsWith' ? text.startsWith(value) : text === value));

const memberTest =
  (option: string, values: readonly string[], read: (parameter: Parameter) => string | undefined): Test =>
  (parameter) => {
    const text = read(parameter);
    return text !== undefined && fits(option, values, text);
  };

/** Removes the optional leading slash of a single-level name. */
const bare = (name: string): string => name.replace(/^\//, '');

function nameTest(option: string, values: readonly string[]): Test {
  const wanted = values.map(bare);
  return ({ name }) => {
    const own = bare(name);
    return option === 'Contains' ? wanted.some((value) => own.includes(value)) : fits(option, wanted, own);
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

/**
 * Returns the predicate for parameter filters.
 * @param where operation with the filters: DescribeParameters and GetParametersByPath support different ones
 * @throws AwsError `InvalidFilterKey`, `InvalidFilterOption`, `InvalidFilterValue`, `ValidationException`
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

/** @throws AwsError `ValidationException` */
function checkPath(path: string): void {
  if (RESERVED.test(path))
    throw invalid(
      'Filters for common parameters can\'t be prefixed with "aws" or "ssm" (case-insensitive). When using global parameters, please specify within a global namespace.',
    );
  if (!isPath(path) || path.includes('//')) throw invalid(PATH_REQUIREMENTS);
}

/** @throws AwsError `InvalidFilterOption`, `InvalidFilterValue`, `ValidationException` */
function checkFilter(key: string, option: string, values: readonly string[] | undefined): void {
  const allowed = OPTIONS[key] ?? DEFAULT_OPTIONS;
  if (!allowed.includes(option))
    throw ssmError(
      'InvalidFilterOption',
      `The following filter option is not valid: ${option}. Valid options include: [${allowed.join(', ')}].`,
    );
  if (!values?.length && !key.startsWith('tag:'))
    throw ssmError('InvalidFilterValue', `The following filter values are missing : null for filter key ${key}.`);
  if (key === 'Path') values!.forEach(checkPath);
  const known = option === 'Equals' ? VALUES[key] : undefined;
  const wrong = known && values!.find((value) => !known.includes(value));
  if (wrong !== undefined)
    throw ssmError(
      'InvalidFilterOption',
      `The following filter value is not valid: ${wrong}. Valid values include: [${known!.join(', ')}].`,
    );
}

function testOf({ Key, Option, Values }: ParameterStringFilter): Test {
  const option = Option ?? (Key === 'Path' ? 'OneLevel' : 'Equals');
  checkFilter(Key, option, Values);
  const values = Values ?? [];
  switch (Key) {
    case 'Path':
      return pathTest(option, values);
    case 'Name':
      return nameTest(option, values);
    case 'KeyId':
      return memberTest(option, values, (parameter) => currentVersion(parameter).keyId);
    case 'Type':
      return memberTest(option, values, (parameter) => currentVersion(parameter).type);
    case 'Tier':
      return memberTest(option, values, (parameter) => currentVersion(parameter).tier);
    case 'DataType':
      return memberTest(option, values, (parameter) => currentVersion(parameter).dataType);
    case 'Label':
      return ({ versions }) => versions.some(({ labels }) => labels.some((label) => values.includes(label)));
    default: {
      const tag = Key.slice('tag:'.length);
      return ({ tags }) => Object.hasOwn(tags, tag) && (values.length === 0 || fits(option, values, tags[tag]!));
    }
  }
}

/** Returns the predicate for the older `Filters` of DescribeParameters. */
export function olderFilter(filters: readonly ParametersFilter[]): Test {
  const tests = filters.map(({ Key, Values }) =>
    Key === 'Name'
      ? nameTest('BeginsWith', Values)
      : memberTest('Equals', Values, (parameter) => {
          const { keyId, type } = currentVersion(parameter);
          return Key === 'KeyId' ? keyId : type;
        }),
  );
  return (parameter) => tests.every((test) => test(parameter));
}
