import { control } from './control.ts';

/** A stage of an API in `emu urls`. */
interface StageUrl {
  readonly protocolType: 'REST' | 'HTTP' | 'WEBSOCKET';
  readonly apiId: string;
  readonly name: string;
  readonly stage: string;
  readonly accountId: string;
  readonly region: string;
  /** URL with a host name below emu's own. */
  readonly url: string;
  /** URL for clients that cannot set host names. */
  readonly pathUrl: string;
}

interface Answer {
  apis: Omit<StageUrl, 'protocolType'>[];
}

/** Returns all stages of all APIs of a running emulator, REST APIs first. */
async function stageUrls(base: string): Promise<StageUrl[]> {
  const rest = (await control(base, 'GET', '/_emulator/apigateway/urls')) as Answer;
  const others = (await control(base, 'GET', '/_emulator/apigatewayv2/urls')) as { apis: StageUrl[] };
  return [...rest.apis.map((api) => ({ protocolType: 'REST' as const, ...api })), ...others.apis];
}

/** The local URLs of a resource in `emu urls`. */
interface ResourceUrl {
  readonly name: string;
  readonly accountId: string;
  readonly region: string;
  readonly url: string;
  /** URL for clients that cannot set host names; absent if `url` has none. */
  readonly pathUrl?: string;
}

/** Local URLs of a running emulator, by kind as in `emu urls --json`. */
export interface LocalUrls {
  readonly apis: readonly StageUrl[];
  readonly functions: readonly ResourceUrl[];
  readonly websites: readonly ResourceUrl[];
  readonly queues: readonly ResourceUrl[];
  readonly userPoolDomains: readonly ResourceUrl[];
}

/** Returns the URLs of all resources that have one. @throws Failure without a response */
export async function localUrls(base: string): Promise<LocalUrls> {
  const of = async (service: string): Promise<ResourceUrl[]> =>
    ((await control(base, 'GET', `/_emulator/${service}/urls`)) as { urls: ResourceUrl[] }).urls;
  return {
    apis: await stageUrls(base),
    functions: await of('lambda'),
    websites: await of('s3'),
    queues: await of('sqs'),
    userPoolDomains: await of('cognito'),
  };
}

/** Returns a row of each URL: kind, name, stage, URL, and URL for clients that cannot set host names. */
export function rowsOf({ apis, functions, websites, queues, userPoolDomains }: LocalUrls): string[][] {
  const rows = (kind: string, urls: readonly ResourceUrl[]): string[][] =>
    urls.map(({ name, url, pathUrl = '' }) => [kind, name, '', url, pathUrl]);
  return [
    ...apis.map(({ protocolType, name, stage, url, pathUrl }) => [protocolType, name, stage, url, pathUrl]),
    ...rows('FUNCTION', functions),
    ...rows('WEBSITE', websites),
    ...rows('QUEUE', queues),
    ...rows('SIGN-IN', userPoolDomains),
  ];
}

/** Formats rows with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
