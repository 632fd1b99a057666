import type { OperationContext } from '@emu/core';
import type { LambdaOperations } from '@emu/service-types/lambda';
import { conflict } from '../errors.ts';
import type { LambdaState } from '../state.ts';

/** What Lambda's handlers know besides their input. */
export type LambdaContext = OperationContext<LambdaState>;
/** Input of an operation. */
export type In<Name extends keyof LambdaOperations> = LambdaOperations[Name]['input'];
/** Output of an operation. */
export type Out<Name extends keyof LambdaOperations> = LambdaOperations[Name]['output'];

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
