import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** JSON of a rule set or a part of it. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Description {
  metadata: {
    endpointPrefix: string;
    signingName?: string;
    protocol: string;
    targetPrefix?: string;
    apiVersion: string;
  };
  operations: Record<string, OperationDescription>;
  shapes: Record<string, { members?: Record<string, { contextParam?: { name: string } }> }>;
}

interface OperationDescription {
  http: { method: string; requestUri: string };
  input?: { shape: string };
  endpoint?: { hostPrefix?: string };
  authtype?: string;
  staticContextParams?: Record<string, { value: string | boolean }>;
}

/** Stands for the prefix of a service's endpoints in rule sets that services share. */
const PREFIX = '@@';

/** Returns the names of the folders in a folder, in order. */
const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const read = (file: string): string =>
  file.endsWith('.gz') ? gunzipSync(readFileSync(file)).toString('utf8') : readFileSync(file, 'utf8');

/** Reads a file of botocore that may be compressed; undefined if it is missing. */
function readJson<T>(folder: string, name: string): T | undefined {
  const file = [join(folder, `${name}.json`), join(folder, `${name}.json.gz`)].find((path) => existsSync(path));
  return file === undefined ? undefined : (JSON.parse(read(file)) as T);
}

function withoutDocumentation(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDocumentation);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name === 'documentation' ? [] : [[name, withoutDocumentation(item)]],
    ),
  );
}

/** Returns the most frequent prefix of the endpoints in a rule set. */
function prefixOf(rules: string): string {
  const counts = new Map<string, number>();
  for (const [, prefix] of rules.matchAll(/"url":"https:\/\/([a-z0-9.-]+?)(?:-fips)?\.\{/g))
    counts.set(prefix!, (counts.get(prefix!) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** Returns the parameters of the rule set that an operation sets: `=value`, or the name of an input member. */
function contextOf(operation: OperationDescription, { shapes }: Description): Record<string, string> {
  const statics = Object.entries(operation.staticContextParams ?? {}).map(([name, { value }]) => [name, `=${value}`]);
  const members = Object.entries(shapes[operation.input?.shape ?? '']?.members ?? {}).flatMap(
    ([member, { contextParam }]) => (contextParam ? [[contextParam.name, member]] : []),
  );
  return Object.fromEntries([...statics, ...members]) as Record<string, string>;
}

const filled = <T extends object>(entries: [string, T | string | undefined][]): Record<string, T | string> =>
  Object.fromEntries(
    entries.filter(
      (entry): entry is [string, T | string] =>
        entry[1] !== undefined && (typeof entry[1] === 'string' || Object.keys(entry[1]).length > 0),
    ),
  );

/**
 * Returns the file with the facts of all services of AWS that a proxy needs: names in signatures, endpoints, and the HTTP
 * bindings of REST operations of services that emu does not have.
 * @param data botocore's folder of services
 * @param own botocore's folders of the services that emu has
 */
export function awsServices(version: string, data: string, own: ReadonlySet<string>): string {
  const ruleSets = new Map<string, number>();
  const lines: string[] = [];
  for (const service of foldersOf(data)) {
    const apiVersion = foldersOf(join(data, service)).at(-1)!;
    const folder = join(data, service, apiVersion);
    const description = readJson<Description>(folder, 'service-2');
    const ruleSet = readJson<{ [name: string]: Json }>(folder, 'endpoint-rule-set-1');
    if (!description || !ruleSet) continue;
    const { metadata, operations } = description;
    const text = JSON.stringify(withoutDocumentation(ruleSet));
    const prefix = prefixOf(text);
    const shared =
      prefix === ''
        ? text
        : text
            .replaceAll(`https://${prefix}.{`, `https://${PREFIX}.{`)
            .replaceAll(`https://${prefix}-fips.{`, `https://${PREFIX}-fips.{`);
    if (!ruleSets.has(shared)) ruleSets.set(shared, ruleSets.size);
    const isRest = metadata.protocol.startsWith('rest');
    const names = Object.entries(operations);
    const facts = {
      signingName: metadata.signingName ?? metadata.endpointPrefix,
      host: metadata.endpointPrefix,
      ...(prefix !== '' && { prefix }),
      ruleSet: ruleSets.get(shared)!,
      ...(metadata.targetPrefix !== undefined && { target: metadata.targetPrefix }),
      ...(['query', 'ec2'].includes(metadata.protocol) && { version: metadata.apiVersion }),
      ...filled([
        [
          'operations',
          isRest && !own.has(service)
            ? Object.fromEntries(names.map(([name, { http }]) => [name, `${http.method} ${http.requestUri}`]))
            : undefined,
        ],
        ['hostPrefixes', filled(names.map(([name, { endpoint }]) => [name, endpoint?.hostPrefix]))],
        ['context', filled(names.map(([name, operation]) => [name, contextOf(operation, description)]))],
      ]),
    };
    lines.push(`    ${JSON.stringify(service)}: ${JSON.stringify(facts)}`);
  }
  return `{
  "botocore": ${JSON.stringify(version)},
  "ruleSets": [
${[...ruleSets.keys()].map((text) => `    ${text}`).join(',\n')}
  ],
  "services": {
${lines.join(',\n')}
  }
}
`;
}
