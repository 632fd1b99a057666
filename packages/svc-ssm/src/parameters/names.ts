import { parseArn } from '@emu/core/service';
import { invalid, ssmError } from '../errors.ts';

/** Maximum number of levels of a name. */
const MAX_LEVELS = 15;
/** Maximum number of characters of a name together with its ARN. */
const MAX_LENGTH = 1011;
const CHARACTERS = /^[a-zA-Z0-9_.\-/]+$/;

/** Beginning of names that refer to secrets of Secrets Manager. */
export const SECRET_PREFIX = '/aws/reference/secretsmanager/';

/** Names reserved by AWS. */
const PUBLIC = /^\/aws(\/|$)/i;

const REQUIREMENTS =
  'If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_';

const NAME_REQUIREMENTS = `Parameter name: can't be prefixed with "ssm" (case-insensitive). ${REQUIREMENTS}`;

/** AWS's message for an invalid path. */
export const PATH_REQUIREMENTS =
  'The parameter doesn\'t meet the parameter name requirements. The parameter name must begin with a forward slash "/". It can\'t be prefixed with "aws" or "ssm" (case-insensitive). It must use only letters, numbers, or the following symbols: . (period), - (hyphen), _ (underscore). Special characters are not allowed. All sub-paths, if specified, must use the forward slash symbol "/". Valid example: /get/parameters2-/by1./path0_.';

/** Whether a text can be the path of parameters. */
export const isPath = (text: string): boolean => text.startsWith('/') && CHARACTERS.test(text);

/**
 * Validates the name of a new parameter.
 * @throws AwsError `ValidationException`, `AccessDeniedException`, `HierarchyLevelLimitExceededException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-su-create.html
 */
export function checkName(name: string): void {
  const path = name.includes('/');
  const folded = name.toLowerCase().replace(/^\//, '');
  if (PUBLIC.test(name) && path && name.lastIndexOf('/') > 0)
    throw ssmError('AccessDeniedException', `No access to reserved parameter name: ${name}.`);
  if (folded.startsWith('aws') || folded.startsWith('ssm'))
    throw invalid(
      name.lastIndexOf('/') > 0
        ? NAME_REQUIREMENTS
        : 'Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive).',
    );
  if (path && !name.startsWith('/')) throw invalid('Parameter name must be a fully qualified name.');
  if (!CHARACTERS.test(name) || name.includes('//') || name.endsWith('/') || name.length > MAX_LENGTH)
    throw invalid(NAME_REQUIREMENTS);
  if (name.split('/').length - (path ? 1 : 0) > MAX_LEVELS)
    throw ssmError(
      'HierarchyLevelLimitExceededException',
      `A parameter name can have at most ${MAX_LEVELS} levels, separated by slashes.`,
    );
}

/** Returns the storage key of a name: single-level names with and without a slash are equal, as their ARNs are. */
export const keyOfName = (name: string): string => (/^\/[^/]+$/.test(name) ? name.slice(1) : name);

/** A parameter by name or ARN, with a version selector. */
export interface Selection {
  /** Storage key; for the ARN of another resource, the ARN, which is no parameter's name. */
  readonly key: string;
  /** Name as given; undefined for an ARN. */
  readonly asked?: string;
  /** Version or label, including the colon. */
  readonly selector: string | undefined;
  /** Account in the ARN; empty for the caller's. */
  readonly accountId: string;
  /** Region in the ARN; empty for the request's. */
  readonly region: string;
}

/** Beginning of the resource part of ARNs. */
const RESOURCE = 'parameter/';

/** Parses `name`, `name:version`, `name:label`, or the same with an ARN instead of the name. */
export function readSelection(text: string): Selection {
  const arn = parseArn(text);
  if (arn && !arn.resource.startsWith(RESOURCE)) return { key: text, selector: undefined, accountId: '', region: '' };
  const whole = arn ? arn.resource.slice(RESOURCE.length) : text;
  const colon = whole.indexOf(':');
  const name = colon < 0 ? whole : whole.slice(0, colon);
  return {
    // An ARN has a single slash before a path name.
    key: keyOfName(arn && name.includes('/') ? `/${name}` : name),
    ...(!arn && { asked: name }),
    selector: colon < 0 ? undefined : whole.slice(colon),
    accountId: arn?.accountId ?? '',
    region: arn?.region ?? '',
  };
}

/**
 * Validates and parses the name or ARN of a parameter to read.
 * @throws AwsError `ValidationException`
 */
export function readReference(text: string): Selection {
  const selection = readSelection(text);
  const { key, asked = key, selector } = selection;
  // The ARN of another resource is no parameter's name, and is not found.
  if (asked.startsWith('arn:')) return selection;
  const path = asked.includes('/');
  const valid = CHARACTERS.test(asked) && !asked.includes('//') && (!path || asked.startsWith('/'));
  // Names of secrets have characters of their own.
  if (!valid && !asked.startsWith(SECRET_PREFIX)) throw invalid(NAME_REQUIREMENTS);
  if (selector !== undefined && !/^:[^:]+$/.test(selector))
    throw invalid(
      'Invalid parameter name. Please use correct syntax for referencing a version/label  <name>:<version/label>',
    );
  return selection;
}
