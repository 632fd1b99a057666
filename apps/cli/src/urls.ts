import { control } from './control.ts';

/** A stage of an API, as `emu urls` lists it. */
export interface StageUrl {
  readonly protocolType: 'REST' | 'HTTP' | 'WEBSOCKET';
  readonly apiId: string;
  readonly name: string;
  readonly stage: string;
  readonly accountId: string;
  readonly region: string;
  /** By a host name below `localhost`. */
  readonly url: string;
  /** For clients that cannot set host names. */
  readonly pathUrl: string;
}

interface Answer {
  apis: Omit<StageUrl, 'protocolType'>[];
}

/** Every stage of every API of a running emulator, REST APIs first. @throws Failure where none answers */
export async function stageUrls(base: string): Promise<StageUrl[]> {
  const rest = (await control(base, 'GET', '/_emulator/apigateway/urls')) as Answer;
  const others = (await control(base, 'GET', '/_emulator/apigatewayv2/urls')) as { apis: StageUrl[] };
  return [...rest.apis.map((api) => ({ protocolType: 'REST' as const, ...api })), ...others.apis];
}

/** Rows with their columns below each other. */
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
