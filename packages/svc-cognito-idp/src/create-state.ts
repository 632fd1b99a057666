import type { StateScope } from '@emu/core/service';
import { importsOf } from './imports/imports.ts';
import { CognitoState } from './state.ts';

/** Creates the state of an account and region, with its workers. */
export function createState(scope: StateScope): CognitoState {
  const state = new CognitoState(scope);
  state.workers.push(importsOf(state));
  return state;
}
