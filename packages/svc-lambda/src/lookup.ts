import type { LambdaContext } from './context.ts';
import { conflict } from './errors.ts';
import type { LambdaState } from './state.ts';

/** Where the package of a version can be downloaded. @param file `latest.zip` or `<version>.zip` */
export const codeUrl = (ctx: LambdaContext, state: LambdaState, name: string, file: string): string =>
  `${ctx.endpoint}/_emulator/lambda/function-code/${state.accountId}/${name}/${file}?region=${state.region}`;

/** Where the package of a layer version can be downloaded. */
export const layerUrl = (ctx: LambdaContext, state: LambdaState, name: string, version: number): string =>
  `${ctx.endpoint}/_emulator/lambda/layer-content/${state.accountId}/${name}/${version}.zip?region=${state.region}`;

/** Refuses to work on a function that went while the request waited. */
export function requireStill(state: LambdaState, name: string): void {
  if (!state.functions.has(name))
    throw conflict('The operation cannot be performed at this time. The function was deleted meanwhile.');
}
