import { invalidParameterValue } from './errors.ts';

/** Parts of a function name in any form. */
export interface FunctionName {
  name: string;
  /** Qualifier in the name: a version, `$LATEST` or an alias. */
  qualifier: string | undefined;
  /** Undefined if the form has none. */
  accountId: string | undefined;
  region: string | undefined;
}

/** `$LATEST`, the mutable version. */
export const LATEST = '$LATEST';

/** Full ARNs, partial ARNs and names, which the ARN parser does not accept. */
const SPELLINGS =
  /^(?:arn:[a-zA-Z-]+:lambda:)?(?:((?:eusc-)?[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d):)?(?:(\d{12}):)?(?:function:)?([a-zA-Z0-9-_.]+)(?::([$a-zA-Z0-9-_.]+))?$/;

/** Parses a function name; undefined if it is invalid. */
export function readFunctionName(value: string): FunctionName | undefined {
  const match = SPELLINGS.exec(value);
  if (!match) return undefined;
  const [, region, accountId, name, qualifier] = match;
  return { name: name!, qualifier, accountId, region };
}

/**
 * Parses a function name: `name`, `name:qualifier`, partial or full ARN.
 * @throws AwsError `InvalidParameterValueException` for an invalid name
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html#lambda-GetFunction-request-FunctionName
 */
export function parseFunctionName(value: string): FunctionName {
  const name = readFunctionName(value);
  if (!name) throw invalidParameterValue(`Invalid function name: ${value}`);
  return name;
}

/** Whether a qualifier is a version rather than an alias: aliases contain a letter and no `$`. */
export const isVersion = (qualifier: string): boolean => /^(?:\d+|\$.+)$/.test(qualifier);
