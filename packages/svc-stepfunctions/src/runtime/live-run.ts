import type { Clock, Ids, StateScope } from '@emu/core/service';
import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import type { Block } from '../asl/definition.ts';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { perform } from '../integrations/perform.ts';
import type { Surroundings } from '../integrations/surroundings.ts';
import { type EventRecord, WHOLE } from './events.ts';
import type { Frame } from './frame.ts';
import { runBlock } from './interpret.ts';
import type { MapRunner } from './map-runs.ts';
import { MOST_EVENTS, type Run, type Task } from './run.ts';
import { Ended, Scope } from './scope.ts';

/** How an execution has ended. */
export interface RunEnd {
  status: 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  output?: string;
  error?: string | undefined;
  cause?: string | undefined;
}

/** What a run notes and keeps. */
export interface Keeper {
  readonly scope: StateScope;
  event(event: EventRecord): void;
  save(frame: Frame): void;
  /** Goes on from what was saved at a point in time, epoch milliseconds; absent where the run has to stay. */
  park?: ((until: number) => void) | undefined;
}

/** An execution was stopped by StopExecution. */
class Stopped extends Ended {
  constructor(
    readonly error: string | undefined,
    readonly reason: string | undefined,
  ) {
    super('stopped');
  }
}

/** The execution has had its time. */
class TimeUp extends Ended {}

/** What an execution is made of; what can be made again is made when it is needed, for very many may wait. */
export interface Parts {
  readonly definition: Block;
  /** The members of the context object that are the same for the whole execution. */
  context(): JsonObject;
  around(): Surroundings;
}

/** An execution under way. */
export class LiveRun implements Run {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly scope: Scope;
  private events: number;
  private knownContext: JsonObject | undefined;

  /**
   * @param deadline epoch milliseconds at which it times out
   * @param events how many it has had
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
    if (this.events >= MOST_EVENTS - 1) {
      this.scope.end(
        new StateFailure(
          'States.Runtime',
          `The execution reached the maximum number of history events (${MOST_EVENTS}).`,
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
    // It may wait for long now.
    this.knownContext = undefined;
    if (!this.scope.ended) this.keeper.save(this.root);
  }

  park(until: number): void {
    // A time limit ends the run at any moment.
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

  /** Ends what is under way without an end of the execution: it goes on later. */
  suspend(): void {
    this.scope.end(new Ended('suspended'));
  }

  /** Runs to the end. @returns undefined where it goes on later */
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
      // A redrive goes on from there.
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

/** A mistake of emu's own ends the execution as AWS's would, and is in the log. */
function unexpected(error: unknown, scope: StateScope): StateFailure {
  const message = error instanceof Error ? error.message : String(error);
  scope.log.error(`An execution failed for a reason of emu's own: ${message}`);
  return new StateFailure('States.Runtime', message);
}
