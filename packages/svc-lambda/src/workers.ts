import type { StateScope } from '@emu/core/service';
import { DurableEngine } from './durable/engine.ts';
import { EventSourcePollers } from './event-sources/pollers.ts';
import { AsyncQueue } from './runtime/async-queue.ts';
import { Executor } from './runtime/executor.ts';
import { LambdaState } from './state.ts';

/** Creates the state of an account and region with its workers; the last one listed closes first. */
export function createState(scope: StateScope): LambdaState {
  const state = new LambdaState(scope);
  state.workers.push(Executor.of(state), AsyncQueue.of(state), DurableEngine.of(state), EventSourcePollers.of(state));
  return state;
}
