import { LinearRegex } from '@emu/core/regex';
import { formatDate, parseDate } from '../dates/java-patterns.ts';
import { invalidParameter } from '../errors.ts';
import type { Json } from './document.ts';
import { NOT_BEFORE, PATTERNS, SHARED, USES } from './grok-patterns.ts';

/** Maximum pattern uses per expression, in total and per pattern. */
const MAX_USES = 20;
const MAX_SHARED = 5;

/** Matches a text; returns fields by path, undefined without a match. */
export type Extract = (text: string) => [path: string, value: Json][] | undefined;

/** A field filled by a capture group. */
interface Filled {
  readonly group: string;
  readonly path: string;
  readonly as?: (text: string) => Json;
}

/** A pattern for a complete log format. */
interface LogFormat {
  readonly regex: string;
  readonly fields: Readonly<Record<string, (text: string) => Json>>;
}

const asText = (text: string): Json => text;
const httpTime = (text: string): Json => {
  const time = parseDate(text, 'dd/MMM/yyyy:HH:mm:ss Z', 'UTC');
  return time === undefined ? text : formatDate(time, "yyyy-MM-dd'T'HH:mm:ss'Z'", 'UTC');
};
const ACCESS =
  '(?<remote_host>\\S+) \\S+ (?<auth_user>\\S+) \\[(?<timestamp>[^\\]]+)\\] "(?<http_method>[A-Z]+) (?<request>\\S+)(?: HTTP/(?<http_version>[\\d.]+))?" (?<status_code>\\d+) (?<response_size>\\d+|-)';
const AGENT = ' "(?<referrer>[^"]*)" "(?<agent>[^"]*)"';
const ACCESS_FIELDS = {
  request: asText,
  referrer: asText,
  agent: asText,
  http_method: asText,
  status_code: Number,
  auth_user: asText,
  http_version: asText,
  response_size: Number,
  remote_host: asText,
  timestamp: httpTime,
};

const FORMATS: Readonly<Record<string, LogFormat>> = {
  APACHE_ACCESS_LOG: { regex: `${ACCESS}(?:${AGENT})?`, fields: ACCESS_FIELDS },
  NGINX_ACCESS_LOG: { regex: `${ACCESS}${AGENT}`, fields: ACCESS_FIELDS },
  SYSLOG5424: {
    regex:
      '<(?<pri>\\d+)>(?<version>\\d+) (?<timestamp>\\S+) (?<hostname>\\S+) (?<app>\\S+) (?<proc_id>\\S+) (?<msg_id>\\S+) (?:\\[(?<structured_data>[^\\]]*)\\]|-) ?(?<message>[\\s\\S]*)',
    fields: {
      pri: Number,
      version: Number,
      timestamp: asText,
      hostname: asText,
      app: asText,
      proc_id: asText,
      msg_id: asText,
      structured_data: asText,
      message: asText,
    },
  },
};

/** Whether a character is in a class. */
const isIn = (characters: string, one: string): boolean => new LinearRegex(`[${characters}]`).test(one);

const USE = /%\{(\w+)(?::([^}:]+))?\}/g;
const escaped = (text: string): string => text.replace(/\\(.)/g, '$1').replace(/[\\^$.|?+()[\]{}/*-]/g, '\\$&');

/**
 * Compiles a grok expression; other text is literal.
 * @throws AwsError `InvalidParameterException` with a message for the user for an invalid expression
 */
export function compileGrok(match: string): Extract {
  const uses = [...match.matchAll(USE)];
  if (!uses.length) throw invalidParameter('The match of grok needs a pattern.');
  checkUses(uses.map(([, name]) => name!));
  const filled: Filled[] = [];
  let source = '';
  let tail = '';
  let end = 0;
  for (const [index, use] of uses.entries()) {
    const [whole, name, path] = use as unknown as [string, string, string | undefined];
    source += escaped(match.slice(end, use.index));
    source += FORMATS[name] ? formatOf(FORMATS[name], filled) : patternOf(name, path, `g${index}`, filled);
    end = use.index + whole.length;
    const next = match.slice(end).replace(/^\\/, '')[0];
    const excluded = NOT_BEFORE[name];
    if (excluded === undefined) continue;
    // The literal text after the pattern decides whether a character may follow; at the end any other one may.
    if (next === undefined) tail = `(?:$|[^${excluded}])`;
    else if (next !== '%' && isIn(excluded, next)) source += '[]';
  }
  const rest = match.slice(end);
  if (/%\{/.test(rest) || /%\{/.test(match.replace(USE, '')))
    throw invalidParameter(`Invalid grok pattern in: ${match}`);
  const regex = new LinearRegex(`${source}${escaped(rest)}${match.endsWith('}') ? '$' : ''}`);
  const loose = new LinearRegex(`${source}${escaped(rest)}${tail}`);
  return (text) => {
    // A lazy last pattern becomes greedy, so that it is not empty.
    const found = regex.exec(text) ?? loose.exec(text);
    if (!found) return undefined;
    const values = new Map<string, Json>();
    for (const { group, path, as = asText } of filled) {
      const value = found.groups?.[group];
      if (value !== undefined && value !== '-') values.set(path, as(value));
      else if (value === '-' && as === asText && !group.startsWith('f')) values.set(path, value);
    }
    return [...values];
  };
}

/** Compiles a complete log format: its fields have fixed names, and a hyphen is an empty value. */
function formatOf({ regex, fields }: LogFormat, filled: Filled[]): string {
  return regex.replace(/\(\?<(\w+)>/g, (_whole, name: string) => {
    filled.push({ group: `f_${name}`, path: name, as: fields[name]! });
    return `(?<f_${name}>`;
  });
}

/** Compiles one pattern with its fields. */
function patternOf(name: string, path: string | undefined, group: string, filled: Filled[]): string {
  let inner = 0;
  const before = path?.includes('.') ? path.slice(0, path.lastIndexOf('.') + 1) : '';
  const parts: Filled[] = [];
  const expanded = expand(name).replace(/\(\?<(=|\w+)>/g, (_whole, part: string) => {
    const own = `${group}_${inner++}`;
    if (path !== undefined) parts.push({ group: own, path: part === '=' ? path : before + part });
    return `(?<${own}>`;
  });
  const hasValue = parts.some((part) => part.path === path);
  if (path !== undefined && !hasValue) filled.push({ group, path });
  filled.push(...parts);
  return path === undefined || hasValue ? `(?:${expanded})` : `(?<${group}>${expanded})`;
}

function expand(name: string): string {
  const pattern = PATTERNS[name];
  if (pattern === undefined) throw invalidParameter(`Unknown grok pattern: ${name}`);
  return pattern.replace(/%\{(\w+)\}/g, (_whole, other: string) => `(?:${expand(other).replace(/\(\?<\w+>/g, '(?:')})`);
}

function checkUses(names: readonly string[]): void {
  if (names.length > MAX_USES) throw invalidParameter(`The match of grok can have at most ${MAX_USES} patterns.`);
  for (const name of new Set(names)) {
    const most = USES[name] ?? MAX_USES;
    if (names.filter((other) => other === name).length > most)
      throw invalidParameter(`The grok pattern ${name} can be used at most ${most} times.`);
  }
  if (names.filter((name) => SHARED.includes(name)).length > MAX_SHARED)
    throw invalidParameter(
      `The grok patterns ${SHARED.join(', ')} can be used at most ${MAX_SHARED} times altogether.`,
    );
  const format = names.findIndex((name) => name in FORMATS);
  if (format < 0) return;
  const follower = names[1];
  if (
    format > 0 ||
    names.length > 2 ||
    (follower !== undefined && !/^(?:DATA|GREEDYDATA(?:_MULTILINE)?)$/.test(follower))
  )
    throw invalidParameter('Only one DATA, GREEDYDATA or GREEDYDATA_MULTILINE may follow the pattern of a log format.');
}
