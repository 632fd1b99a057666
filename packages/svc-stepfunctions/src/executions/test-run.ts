import type { Clock, Ids } from '@emu/core/service';
import type { Block } from '../asl/definition.ts';
import { runtimeFailure, type StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { perform } from '../integrations/perform.ts';
import type { TaskContext } from '../integrations/task-context.ts';
import type { Frame } from '../runtime/frame.ts';
import { beginFrame } from '../runtime/interpret.ts';
import type { MapRunner } from '../runtime/map-runs.ts';
import type { HttpExchange, Run, Stage, Task } from '../runtime/run.ts';
import { Scope } from '../runtime/scope.ts';

/** Mocked outcome of a tested state. */
export type Mock = { result: Json } | { failure: StateFailure };

/** Options of a state test. */
export interface TestRunOptions {
  readonly block: Block;
  readonly state: string;
  readonly input: Json;
  /** Generated members of the context object. */
  readonly context: JsonObject;
  /** Complete context object, if given by the test. */
  readonly given: JsonObject | undefined;
  readonly mock: Mock | undefined;
  readonly around: TaskContext;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A run of one state, of which nothing is stored. */
export class TestRun implements Run {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly scope: Scope;
  states = 0;
  readonly definition: Block;
  readonly context: JsonObject;
  readonly given: JsonObject | undefined;
  readonly root: Frame;
  readonly maps: MapRunner;
  /** Inspected data of the state. */
  readonly seen: Partial<Record<Stage, Json>> = {};
  /** Request and response of an HTTP task. */
  http: HttpExchange | undefined;
  private events = 0;

  constructor(private readonly options: TestRunOptions) {
    const { block, state, input, context, given, around, ids, clock } = options;
    this.clock = clock;
    this.ids = ids;
    this.scope = new Scope(clock);
    this.definition = block;
    this.context = context;
    this.given = given;
    this.root = { ...beginFrame(block, input, 0), state };
    this.maps = around.maps;
  }

  emit(): number {
    return ++this.events;
  }

  /** Nothing is stored. */
  save(): void {}

  inspect(stage: Stage, value: Json): void {
    this.seen[stage] = value;
  }

  inspectHttp(exchange: HttpExchange): void {
    this.http = exchange;
  }

  mocked(): Json {
    const { mock } = this.options;
    if (!mock) throw runtimeFailure('A state of this type is tested with a mock.');
    if ('failure' in mock) throw mock.failure;
    return mock.result;
  }

  perform(task: Task): Promise<Json> {
    return this.options.mock ? Promise.resolve().then(() => this.mocked()) : perform(task, this.options.around);
  }

  token(): string {
    return this.ids.bytes(96).toString('base64');
  }
}
