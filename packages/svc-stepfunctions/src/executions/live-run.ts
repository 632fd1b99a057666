import type { Clock, Ids, StateScope } from '@emu/core/service';
import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import type { Block } from '../asl/definition.ts';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { perform } from '../integrations/perform.ts';
import type { TaskContext } from '../integrations/task-context.ts';
import { type EventRecord, WHOLE } from '../runtime/events.ts';
import type { Frame } from '../runtime/frame.ts';
import { runBlock } from '../runtime/interpret.ts';
import type { MapRunner } from '../runtime/map-runs.ts';
import { MAX_EVENTS, type Run, type Task } from '../runtime/run.ts';
import { Ended, Scope } from '../runtime/scope.ts';

/** Outcome of an execution. */
export interface RunEnd {
  status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  output?: string;
  error?: string | undefined;
  cause?: string | undefined;
}

/** Storage of a run's events and position. */
export interface Keeper {
  readonly scope: StateScope;
  event(event: EventRecord): void;
  save(frame: Frame): void;
  /**
   * Ends the run and resumes it from the saved position at a time in epoch milliseconds; absent if the run cannot be
   * parked.
   */
  park?: ((until: number) => void) | undefined;
}

/** The execution was stopped by StopExecution. */
class Stopped extends Ended {
  constructor(
    readonly error: string | undefined,
    readonly reason: string | undefined,
  ) {
    super('stopped');
  }
}

/** The execution timed out. */
class TimeUp extends Ended {}

/** Parts of a run; derivable parts are created on demand, since very many executions may wait. */
export interface Parts {
  readonly definition: Block;
  /** Returns the constant part of the context object. */
  context(): JsonObject;
  around(): TaskContext;
}

/** A running execution. */
export class LiveRun implements Run {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly scope: Scope;
  states = 0;
  private events: number;
  private knownContext: JsonObject | undefined;

  /**
   * @param deadline timeout in epoch milliseconds
   * @param events number of events so far
   */
  constructor(
    private readonly parts: Parts,
    readonly root: Frame,
    private readonly keeper: Keeper,
    private readonly deadline: number | undefined,
    events: number,
  ) {
    this.clock = keeper.scope.clock;
    this.ids = keeper.scope.ids;
    this.scope = new Scope(this.clock);
    this.events = events;
  }

  get definition(): Block {
    return this.parts.definition;
  }

  get context(): JsonObject {
    this.knownContext ??= this.parts.context();
    return this.knownContext;
  }

  get maps(): MapRunner {
    return this.parts.around().maps;
  }

  emit(type: HistoryEventType, previous: number, details?: [string, JsonObject]): number {
    if (this.scope.ended) return previous;
    if (this.events >= MAX_EVENTS - 1) {
      this.scope.end(
        new StateFailure(
          'States.Runtime',
          `The execution reached the maximum number of history events (${MAX_EVENTS}).`,
        ),
      );
      return previous;
    }
    return this.append(type, previous, details);
  }

  private append(type: HistoryEventType, previous: number, details?: [string, JsonObject]): number {
    const id = ++this.events;
    this.keeper.event({ id, previous, at: this.clock.now(), type, ...(details && { details }) });
    return id;
  }

  save(): void {
    // Released, as the execution may wait for a long time.
    this.knownContext = undefined;
    if (!this.scope.ended) this.keeper.save(this.root);
  }

  park(until: number): void {
    // With a deadline the run may end at any time.
    if (!this.keeper.park || this.deadline !== undefined) return;
    this.keeper.park(until);
    this.suspend();
    this.scope.check();
  }

  perform(task: Task): Promise<Json> {
    return perform(task, this.parts.around());
  }

  token(): string {
    return this.ids.bytes(96).toString('base64');
  }

  stop(error: string | undefined, cause: string | undefined): void {
    this.scope.end(new Stopped(error, cause));
  }

  /** Ends running work without ending the execution, which continues later. */
  suspend(): void {
    this.scope.end(new Ended('suspended'));
  }

  /**
   * Runs to the end.
   * @returns undefined if it continues later
   */
  async run(): Promise<RunEnd | undefined> {
    const timer =
      this.deadline === undefined ? undefined : this.clock.at(this.deadline, () => this.scope.end(new TimeUp('time')));
    try {
      const output = JSON.stringify(await runBlock(this, this.root, this.definition, this.scope));
      const details: JsonObject = { output, outputDetails: WHOLE };
      this.append('ExecutionSucceeded', this.root.last, ['executionSucceededEventDetails', details]);
      return { status: 'SUCCEEDED', output };
    } catch (error) {
      return this.failed(error);
    } finally {
      timer?.cancel();
      this.scope.end();
    }
  }

  private failed(error: unknown): RunEnd | undefined {
    const said = (name: string | undefined, reason: string | undefined): JsonObject => ({
      ...(name !== undefined && { error: name }),
      ...(reason !== undefined && { cause: reason }),
    });
    if (!(error instanceof Ended) || error instanceof Stopped || error instanceof TimeUp)
      // Saved for a redrive.
      this.keeper.save(this.root);
    if (error instanceof Stopped) {
      this.append('ExecutionAborted', 0, ['executionAbortedEventDetails', said(error.error, error.reason)]);
      return { status: 'ABORTED', error: error.error, cause: error.reason };
    }
    if (error instanceof TimeUp) {
      this.append('ExecutionTimedOut', 0, ['executionTimedOutEventDetails', {}]);
      return { status: 'TIMED_OUT', error: undefined };
    }
    if (error instanceof Ended) return undefined;
    const failure = error instanceof StateFailure ? error : unexpected(error, this.keeper.scope);
    this.append('ExecutionFailed', this.root.last, [
      'executionFailedEventDetails',
      said(failure.error, failure.reason),
    ]);
    return { status: 'FAILED', error: failure.error, cause: failure.reason };
  }
}

/** Converts an internal error to a failure as in AWS, and logs it. */
function unexpected(error: unknown, scope: StateScope): StateFailure {
  const message = error instanceof Error ? error.message : String(error);
  scope.log.error(`An execution failed for a reason of emu's own: ${message}`);
  return new StateFailure('States.Runtime', message);
}
