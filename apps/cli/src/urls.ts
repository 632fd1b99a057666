import { control } from './control.ts';

/** A stage of an API in `emu urls`. */
export interface StageUrl {
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

/** Returns all stages of all APIs of a running emulator, REST APIs first. @throws Failure without a response */
export async function stageUrls(base: string): Promise<StageUrl[]> {
  const rest = (await control(base, 'GET', '/_emulator/apigateway/urls')) as Answer;
  const others = (await control(base, 'GET', '/_emulator/apigatewayv2/urls')) as { apis: StageUrl[] };
  return [...rest.apis.map((api) => ({ protocolType: 'REST' as const, ...api })), ...others.apis];
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
