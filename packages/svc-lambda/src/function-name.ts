import { invalid } from './errors.ts';

/** The parts of a function's name in any of its spellings. */
export interface FunctionName {
  name: string;
  /** From the name itself: a version, `$LATEST` or an alias. */
  qualifier: string | undefined;
  /** Undefined where the spelling has none. */
  accountId: string | undefined;
  region: string | undefined;
}

/** `$LATEST`, the version that can be changed. */
export const LATEST = '$LATEST';

/** Whole ARNs, partial ones and names, which no format of ARNs reads. */
const SPELLINGS =
  /^(?:arn:[a-zA-Z-]+:lambda:)?(?:((?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):)?(?:(\d{12}):)?(?:function:)?([a-zA-Z0-9-_.]+)(?::([$a-zA-Z0-9-_.]+))?$/;

/** Takes a function's name apart; undefined for a spelling that is none. */
export function readFunctionName(value: string): FunctionName | undefined {
  const match = SPELLINGS.exec(value);
  if (!match) return undefined;
  const [, region, accountId, name, qualifier] = match;
  return { name: name!, qualifier, accountId, region };
}

/**
 * Takes a function's name apart: `name`, `name:qualifier`, partial and whole ARNs.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html#lambda-GetFunction-request-FunctionName
 * @throws AwsError `InvalidParameterValueException` for a spelling the model does not let through either
 */
export function parseFunctionName(value: string): FunctionName {
  const name = readFunctionName(value);
  if (!name) throw invalid(`Invalid function name: ${value}`);
  return name;
}

/** Whether a qualifier is a version's and no alias: aliases have a letter, and no `$`. */
export const isVersion = (qualifier: string): boolean => /^(?:\d+|\$.+)$/.test(qualifier);
