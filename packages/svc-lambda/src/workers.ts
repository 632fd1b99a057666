import type { StateScope } from '@emu/core/service';
import { DurableEngine } from './durable/engine.ts';
import { EventSourcePollers } from './event-sources/pollers.ts';
import { AsyncQueue } from './runtime/async-queue.ts';
import { Executor } from './runtime/executor.ts';
import { LambdaState } from './state.ts';

/** Makes the state of an account and region, with what works on it; what is last here ends first. */
export function createState(scope: StateScope): LambdaState {
  const state = new LambdaState(scope);
  state.workers.push(Executor.of(state), AsyncQueue.of(state), DurableEngine.of(state), EventSourcePollers.of(state));
  return state;
}
