import type { LambdaContext } from './context.ts';
import { conflict } from './errors.ts';
import type { LambdaState } from './state.ts';

/**
 * Returns the URL of a version's package.
 * @param file `latest.zip` or `<version>.zip`
 */
export const codeUrl = (ctx: LambdaContext, state: LambdaState, name: string, file: string): string =>
  `${ctx.endpoint}/_emulator/lambda/function-code/${state.accountId}/${name}/${file}?region=${state.region}`;

/** Returns the URL of a layer version's package. */
export const layerUrl = (ctx: LambdaContext, state: LambdaState, name: string, version: number): string =>
  `${ctx.endpoint}/_emulator/lambda/layer-content/${state.accountId}/${name}/${version}.zip?region=${state.region}`;

/** Rejects operations on a function deleted during the request. */
export function requireNotDeleted(state: LambdaState, name: string): void {
  if (!state.functions.has(name))
    throw conflict('The operation cannot be performed at this time. The function was deleted meanwhile.');
}
