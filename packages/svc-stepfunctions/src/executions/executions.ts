import { setImmediate } from 'node:timers/promises';
import {
  type CallOptions,
  type Collection,
  type InterruptedWork,
  interruptedRecords,
  type Outbox,
  parseArn,
  RecordBuffer,
  type StateScope,
  type Timer,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { Block } from '../asl/definition.ts';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { useKey } from '../encryption.ts';
import { stepfunctionsError } from '../errors.ts';
import { MockFile, type TestCase } from '../integrations/mock-file.ts';
import { asRole } from '../integrations/role.ts';
import type { TaskContext } from '../integrations/task-context.ts';
import { STEPFUNCTIONS_OPTIONS } from '../options.ts';
import {
  type ExecutionRecord,
  eventCollection,
  executionCollection,
  frameCollection,
  mapRunCollection,
} from '../records.ts';
import { Definitions } from '../runtime/definitions.ts';
import { type EventRecord, WHOLE } from '../runtime/events.ts';
import type { ExecutionLog } from '../runtime/execution-log.ts';
import type { Frame } from '../runtime/frame.ts';
import { beginFrame } from '../runtime/interpret.ts';
import { MapRuns } from '../runtime/map-runs.ts';
import { redriven } from '../runtime/redrive.ts';
import { MAX_EVENTS } from '../runtime/run.ts';
import type { Scope } from '../runtime/scope.ts';
import { WaitingTasks } from '../runtime/waiting.ts';
import { changedEvent, opened, type Sealer, sealerOf, UNSEALED } from '../sealing.ts';
import { type Execution, type ExecutionNames, keyOf } from './execution.ts';
import { Histories } from './histories.ts';
import { type Keeper, LiveRun, type RunEnd } from './live-run.ts';
import { type ChildControl, MapChildren } from './map-children.ts';
import { nestedOutput } from './nested.ts';
import { Reports } from './reports.ts';
import { type ChainLink, nextLink, StartChains } from './start-chains.ts';
import { TestRun, type TestRunOptions } from './test-run.ts';

/** Timeout of express executions: five minutes, in milliseconds. */
const EXPRESS_LIMIT = 5 * 60_000;
/** Retention of finished executions: ninety days, as in AWS, in milliseconds. */
const RETENTION = 90 * 86_400_000;
const SWEEP = 3_600_000;
const MAX_EXPRESS = 1000;

/** An express execution with its history, which only the control route returns. */
export interface ExpressExecution {
  record: ExecutionRecord;
  events: EventRecord[];
  synchronous: boolean;
}

/** Parts of the state that executions depend on. */
export interface ExecutionOwner extends ExecutionNames {
  activityExists(arn: string): boolean;
  /** Returns the executions of another account or region. */
  executionsAt(accountId: string, region: string): Executions;
}

/** Returns state machine and test case of an execution that has one. */
const testCaseOf = ({ machine, testCase }: Execution): [machine: string, name: string] => [
  machine.split('/')[0]!,
  testCase!,
];

/** Running and finished executions of an account and region. */
export class Executions implements Worker {
  readonly waiting = new WaitingTasks();
  readonly mapRuns: MapRuns;
  readonly express = new RecordBuffer<ExpressExecution>(MAX_EXPRESS);
  private readonly records: Collection<ExecutionRecord>;
  private readonly frames: Collection<string>;
  private readonly histories: Histories;
  private readonly reports: Reports;
  /** Child executions of distributed Map states. */
  readonly children: MapChildren;
  readonly mocks: MockFile;
  private lastOrder = 0;
  private closed = false;
  private readonly live = new Map<string, LiveRun>();
  /** Waiting executions without other work, with the timers that resume them. There may be thousands. */
  private readonly parked = new Map<string, Timer>();
  /** Sealers of running executions with a customer key. */
  private readonly sealers = new Map<string, Sealer>();
  private readonly chains = new StartChains();
  /** Turn of the last execution that another one has started. */
  private lastTurn: Promise<void> = Promise.resolve();
  private expressRunning = 0;
  private readonly definitions = new Definitions();
  private readonly enders = new Map<string, Set<() => void>>();

  constructor(
    private readonly owner: ExecutionOwner,
    private readonly scope: StateScope,
    outbox: Outbox,
  ) {
    this.records = scope.collection(executionCollection);
    this.frames = scope.collection(frameCollection);
    this.histories = new Histories(scope.collection(eventCollection));
    this.reports = new Reports(owner, scope, outbox);
    const { SFN_MOCK_CONFIG: own, LOCALSTACK_SFN_MOCK_CONFIG: other } = scope.settings.of(STEPFUNCTIONS_OPTIONS);
    this.mocks = new MockFile(own ?? other);
    this.mapRuns = new MapRuns(scope.collection(mapRunCollection), scope);
    for (const [key, { order, batch }] of this.records.entries()) {
      this.lastOrder = Math.max(this.lastOrder, order);
      if (batch) this.mapRuns.add(batch.mapRun, batch.index, key);
    }
    this.children = new MapChildren(this.childControl(), owner, scope, this.mapRuns, this.definitions);
  }

  resume(): void {
    this.scope.clock.every(SWEEP, () => this.sweep());
  }

  /** Continues executions interrupted by a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ machine, name }) => `execution ${machine}:${name}`,
      idOf: ({ startedAt }) => startedAt,
      // A request may have woken it.
      isLeft: ({ status }, key) => status === 'RUNNING' && !this.live.has(key) && !this.parked.has(key),
      resume: (record, key) => this.resumeOne(record, key),
      fail: (_, reason, key) => this.endInterrupted(key, 'FAILED', 'States.Runtime', reason),
    });
  }

  /** Ends an execution that was interrupted by a restart and is not resumed. */
  private async endInterrupted(
    key: string,
    status: 'FAILED' | 'ABORTED',
    error: string | undefined,
    cause: string | undefined,
  ): Promise<void> {
    const record = this.records.get(key);
    if (record?.status !== 'RUNNING') return;
    const executionArn = this.owner.executionArn(record);
    const sealer = await useKey(record.encryption, this.scope, asRole({ ...record, executionArn })).then(
      () => this.sealerFor(record),
      () => UNSEALED,
    );
    // It may have been resumed or deleted in the meantime.
    if (this.closed || this.records.get(key)?.status !== 'RUNNING') return;
    const run = this.live.get(key);
    if (run) {
      run.stop(error, cause);
      return;
    }
    const last = this.histories.of(key).length;
    const details = { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
    const event: EventRecord = {
      id: last + 1,
      previous: status === 'ABORTED' ? 0 : last,
      at: this.scope.clock.now(),
      ...(status === 'FAILED'
        ? { type: 'ExecutionFailed', details: ['executionFailedEventDetails', details] }
        : { type: 'ExecutionAborted', details: ['executionAbortedEventDetails', details] }),
    };
    this.append(key, event, sealer, this.logOf(record));
    this.finish(key, { status, error, ...(cause !== undefined && { cause }) });
  }

  /** Continues an execution after decrypting its key; it fails if its role may not use the key. */
  private async resumeOne(record: Execution, key: string): Promise<void> {
    try {
      await useKey(record.encryption, this.scope, asRole({ ...record, executionArn: this.owner.executionArn(record) }));
    } catch (error) {
      if (!this.closed)
        this.finish(key, { status: 'FAILED', error: 'States.Runtime', cause: (error as Error).message });
      return;
    }
    if (!this.closed) await this.goOn(record);
  }

  close(): void {
    this.closed = true;
    for (const run of this.live.values()) run.suspend();
  }

  endWaits(): void {
    this.waiting.endPolls();
  }

  /** Number of running standard executions. */
  get running(): number {
    return this.live.size + this.parked.size - this.expressRunning;
  }

  get(machine: string, name: string): Execution | undefined {
    return this.records.get(keyOf({ machine, name }));
  }

  /**
   * Creates a run of one tested state, of which nothing is stored.
   * @param options.roleArn role for tasks
   */
  test(
    options: Pick<TestRunOptions, 'block' | 'state' | 'input' | 'given' | 'mock'> & { roleArn: string | undefined },
  ): TestRun {
    const { scope } = this;
    const id = scope.ids.uuid();
    const machine = scope.ids.uuid();
    const roleArn = options.roleArn ?? '';
    const record: ExecutionRecord = {
      machine,
      name: id,
      expressId: scope.ids.uuid(),
      type: 'EXPRESS',
      status: 'RUNNING',
      order: 0,
      input: JSON.stringify(options.input),
      definition: JSON.stringify(options.block),
      roleArn,
      tracing: false,
      startedAt: scope.clock.now(),
    };
    const executionArn = this.owner.executionArn(record);
    const context: JsonObject = {
      Execution: {
        Id: executionArn,
        Input: options.input,
        Name: id,
        RoleArn: roleArn,
        StartTime: new Date(record.startedAt).toISOString(),
      },
      StateMachine: { Id: this.owner.machineArn(machine), Name: machine },
    };
    return new TestRun({
      ...options,
      context,
      around: this.surroundings(record, executionArn),
      ids: scope.ids,
      clock: scope.clock,
    });
  }

  /** Order number of the next execution. */
  get nextOrder(): number {
    return this.lastOrder + 1;
  }

  /** Returns all standard executions, newest first. */
  list(): Execution[] {
    return [...this.records.values()].reverse();
  }

  history(execution: Pick<ExecutionRecord, 'machine' | 'name'>): readonly EventRecord[] {
    return this.histories.of(keyOf(execution));
  }

  /** Returns the sealer of an execution, whose key must be decrypted already. */
  private sealerFor(record: Execution): Sealer {
    const key = keyOf(record);
    const known = record.encryption ? this.sealers.get(key) : UNSEALED;
    if (known) return known;
    const sealer = sealerOf(record.encryption);
    if (record.status === 'RUNNING' && this.records.has(key)) this.sealers.set(key, sealer);
    return sealer;
  }

  private definitionOf(record: Execution): Block {
    return this.definitions.read(this.sealerFor(record).open(record.definition));
  }

  /**
   * Returns an execution with decrypted data and its history, for control routes; the data stays encrypted if the key
   * is unusable.
   */
  async shown(record: Execution): Promise<{ record: Execution; events: readonly EventRecord[] }> {
    const events = this.history(record);
    try {
      await useKey(record.encryption, this.scope, {});
      const sealer = sealerOf(record.encryption);
      return {
        record: opened(record, sealer),
        events: events.map((event) => changedEvent(event, (text) => sealer.open(text))),
      };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { record, events };
    }
  }

  /**
   * Continues the chain of an execution that starts another one. Such starts are made one after the other, each in a
   * turn of the event loop.
   * @param machine name of the started state machine
   * @param cause cause of the request: the ARN of the starting execution, if a task starts it
   * @returns the link of the new execution; undefined if no execution starts it
   * @throws AwsError `ThrottlingException` if the chain starts its own state machines too often
   */
  async follow(machine: string, cause: string | undefined): Promise<ChainLink | undefined> {
    const starter = cause === undefined ? undefined : parseArn(cause);
    if (cause === undefined || starter?.service !== 'states') return undefined;
    const there = this.owner.executionsAt(starter.accountId, starter.region);
    const starterMachine = there.owner.machineArn(starter.resource.split(/[:/]/)[1]!);
    const now = this.scope.clock.now();
    const machineArn = this.owner.machineArn(machine);
    const link = nextLink(there.chains.of(cause, starterMachine, now), machineArn, now);
    if (!link)
      throw stepfunctionsError('ThrottlingException', `Rate exceeded: executions of ${machineArn} start each other.`, {
        status: 400,
      });
    this.lastTurn = this.lastTurn.then(() => setImmediate());
    await this.lastTurn;
    return link;
  }

  /**
   * Starts a standard execution.
   * @param record with sealed definition and unsealed input
   * @param link from the execution that starts it
   */
  start(record: ExecutionRecord, link?: ChainLink): Execution {
    const key = keyOf(record);
    if (link) this.chains.begin(this.owner.executionArn(record), link);
    const sealer = this.sealerFor(record);
    const kept = this.records.put(key, { ...record, input: sealer.seal(record.input) });
    if (record.encryption) this.sealers.set(key, sealer);
    if (record.batch) this.mapRuns.add(record.batch.mapRun, record.batch.index, key);
    this.lastOrder = record.order;
    const log = this.logOf(record);
    const root = this.begin(record, (event) => this.append(key, event, sealer, log));
    this.frames.put(key, sealer.seal(JSON.stringify(root)));
    this.reports.countStart(record);
    void this.launch(kept, root, 1, log);
    this.reports.announce(kept);
    return kept;
  }

  /**
   * Runs an express execution.
   * @param link from the execution that starts it
   * @returns its outcome
   */
  async startExpress(record: ExecutionRecord, synchronous: boolean, link?: ChainLink): Promise<ExpressExecution> {
    if (link) this.chains.begin(this.owner.executionArn(record), link);
    const entry: ExpressExecution = { record, events: [], synchronous };
    const log = this.logOf(record);
    const event = (item: EventRecord): void => {
      entry.events.push(item);
      log?.note(item);
    };
    this.express.add(entry);
    this.reports.countStart(record);
    const run = this.liveRun(record, this.begin(record, event), 1, { scope: this.scope, event, save: () => undefined });
    const key = `express ${this.scope.ids.uuid()}`;
    this.live.set(key, run);
    this.expressRunning++;
    const end = await run.run();
    this.live.delete(key);
    this.chains.end(this.owner.executionArn(record));
    this.expressRunning--;
    if (end) Object.assign(record, end, { stoppedAt: this.scope.clock.now() });
    if (end) this.reports.countEnd(record);
    return entry;
  }

  stop(execution: Execution, error: string | undefined, cause: string | undefined): Promise<void> {
    const done = this.ended(execution);
    this.halt(keyOf(execution), error, cause);
    return done;
  }

  private halt(key: string, error?: string, cause?: string): void {
    this.wake(key, false);
    const run = this.live.get(key);
    if (run) run.stop(error, cause);
    else void this.endInterrupted(key, 'ABORTED', error, cause);
  }

  /**
   * Resumes a waiting execution.
   * @param parks whether it may be parked again
   */
  private wake(key: string, parks = true): void {
    const timer = this.parked.get(key);
    if (!timer) return;
    timer.cancel();
    this.parked.delete(key);
    void this.goOn(this.records.get(key)!, parks);
  }

  /** Resolves when an execution has ended, immediately if it has. */
  ended(execution: Pick<ExecutionRecord, 'machine' | 'name'>, scope?: Scope): Promise<void> {
    const key = keyOf(execution);
    if (this.records.get(key)?.status !== 'RUNNING') return Promise.resolve();
    const begin = (resolve: (value: undefined) => void): (() => void) => {
      const enders = this.enders.get(key) ?? new Set();
      this.enders.set(key, enders);
      const callback = (): void => resolve(undefined);
      enders.add(callback);
      return () => enders.delete(callback);
    };
    if (scope) return scope.wait<undefined>((resolve) => begin(resolve));
    return new Promise<undefined>((resolve) => begin(resolve));
  }

  private begin(record: ExecutionRecord, event: (event: EventRecord) => void): Frame {
    event({
      id: 1,
      previous: 0,
      at: record.startedAt,
      type: 'ExecutionStarted',
      details: [
        'executionStartedEventDetails',
        {
          input: record.input,
          inputDetails: WHOLE,
          roleArn: record.roleArn,
          ...(record.aliasArn !== undefined && { stateMachineAliasArn: record.aliasArn }),
          ...(record.versionArn !== undefined && { stateMachineVersionArn: record.versionArn }),
        },
      ],
    });
    // As in AWS, the first state's event has no predecessor.
    return beginFrame(this.definitionOf(record), JSON.parse(record.input) as Json, 0);
  }

  /** Resolves when the execution has ended or waits. */
  private goOn(record: Execution, parks = true): Promise<void> {
    const key = keyOf(record);
    const text = this.frames.get(key);
    const history = this.histories.of(key);
    if (text === undefined) return Promise.resolve();
    const frame = JSON.parse(this.sealerFor(record).open(text)) as Frame;
    return this.launch(record, frame, history.length, this.logOf(record), parks);
  }

  private launch(
    record: Execution,
    root: Frame,
    events: number,
    log: ExecutionLog | undefined,
    parks = true,
  ): Promise<void> {
    const key = keyOf(record);
    const sealer = this.sealerFor(record);
    const run = this.liveRun(record, root, events, {
      scope: this.scope,
      event: (event) => this.append(key, event, sealer, log),
      save: (frame) => void this.frames.put(key, sealer.seal(JSON.stringify(frame))),
      // Executions with logs or test cases are not parked.
      park: !parks || log || record.testCase !== undefined ? undefined : (until) => this.park(key, until),
    });
    this.live.set(key, run);
    return run.run().then((end) => {
      if (this.live.get(key) === run) this.live.delete(key);
      if (end) this.finish(key, end);
    });
  }

  private park(key: string, until: number): void {
    this.live.delete(key);
    this.parked.set(
      key,
      this.scope.clock.at(until, () => this.wake(key)),
    );
  }

  /**
   * Continues a failed execution from its failed state.
   * @returns time of the redrive in epoch milliseconds
   */
  redrive(execution: Execution, token?: string): number {
    const key = keyOf(execution);
    const now = this.scope.clock.now();
    const frame = redriven(JSON.parse(this.sealerFor(execution).open(this.frames.get(key)!)) as Frame);
    const record = this.records.update(key, (draft) => {
      draft.status = 'RUNNING';
      draft.redrives = (draft.redrives ?? 0) + 1;
      draft.redrivenAt = now;
      delete draft.redriveToken;
      if (token !== undefined) draft.redriveToken = token;
      delete draft.stoppedAt;
      delete draft.error;
      delete draft.cause;
    });
    const log = this.logOf(record);
    const sealer = this.sealerFor(record);
    const id = this.histories.of(key).length + 1;
    const details = { redriveCount: record.redrives! };
    const previous = id - 1;
    this.append(
      key,
      {
        id,
        previous,
        at: now,
        type: 'ExecutionRedriven',
        details: ['executionRedrivenEventDetails', details],
      },
      sealer,
      log,
    );
    frame.last = id;
    this.frames.put(key, sealer.seal(JSON.stringify(frame)));
    void this.launch(record, frame, id, log);
    this.reports.announce(record);
    return now;
  }

  /** Whether an execution has event numbers left and its failed position is known. */
  canRedrive(execution: Execution): boolean {
    const key = keyOf(execution);
    return this.frames.has(key) && this.histories.of(key).length < MAX_EVENTS - 1;
  }

  private finish(key: string, { status, output, error, cause }: RunEnd): void {
    // The position is kept for a redrive.
    if (status === 'SUCCEEDED') this.frames.delete(key);
    const running = this.records.get(key);
    if (running && status !== 'SUCCEEDED') this.children.endRuns(running, status);
    // If the key was unusable, the only data is KMS's error.
    const sealer = this.sealers.get(key) ?? UNSEALED;
    this.sealers.delete(key);
    const ended = this.records.update(key, (draft) => {
      draft.status = status;
      draft.stoppedAt = this.scope.clock.now();
      if (output !== undefined) draft.output = sealer.seal(output);
      if (error !== undefined) draft.error = sealer.seal(error);
      if (cause !== undefined) draft.cause = sealer.seal(cause);
    });
    this.chains.end(this.owner.executionArn(ended));
    for (const callback of [...(this.enders.get(key) ?? [])]) callback();
    this.enders.delete(key);
    this.reports.countEnd(ended);
    this.reports.announce(ended);
  }

  private liveRun(record: Execution, root: Frame, events: number, keeper: Keeper): LiveRun {
    const definition = this.definitionOf(record);
    const limits = [
      definition.TimeoutSeconds === undefined ? Number.POSITIVE_INFINITY : definition.TimeoutSeconds * 1000,
      record.type === 'EXPRESS' ? EXPRESS_LIMIT : Number.POSITIVE_INFINITY,
    ];
    const limit = Math.min(...limits);
    const deadline = Number.isFinite(limit) ? record.startedAt + limit : undefined;
    const testCase = record.testCase === undefined ? undefined : this.mocks.testCase(...testCaseOf(record));
    const parts = {
      definition,
      context: () => this.contextOf(record),
      around: () => this.surroundings(record, this.owner.executionArn(record), testCase),
    };
    return new LiveRun(parts, root, keeper, deadline, events);
  }

  /** Returns the constant part of the execution's context object. */
  private contextOf(record: Execution): JsonObject {
    return {
      Execution: {
        Id: this.owner.executionArn(record),
        Input: JSON.parse(this.sealerFor(record).open(record.input)) as Json,
        Name: record.name,
        RoleArn: record.roleArn,
        StartTime: new Date(record.startedAt).toISOString(),
        RedriveCount: record.redrives ?? 0,
        ...(record.redrivenAt !== undefined && { RedriveTime: new Date(record.redrivenAt).toISOString() }),
      },
      StateMachine: { Id: this.owner.machineArn(record.machine), Name: record.machine },
    };
  }

  private surroundings(record: Execution, executionArn: string, testCase?: TestCase): TaskContext {
    const maps = () => this.children.runner(record, executionArn);
    return {
      scope: this.scope,
      waiting: this.waiting,
      roleArn: record.roleArn,
      executionArn,
      get maps() {
        return maps();
      },
      activityExists: (arn: string) => this.owner.activityExists(arn),
      nested: (arn: string, scope: Scope) => this.nested(arn, scope, asRole({ roleArn: record.roleArn, executionArn })),
      testCase,
    };
  }

  /**
   * Waits for an execution started by a task.
   * @returns its description as in AWS's `.sync`
   */
  private async nested(arn: string, scope: Scope, reader: CallOptions): Promise<JsonObject> {
    const { accountId, region } = parseArn(arn)!;
    const isOwn = accountId === this.scope.accountId && region === this.scope.region;
    const there = isOwn ? this : this.owner.executionsAt(accountId, region);
    return there.outcome(arn, scope, reader);
  }

  /**
   * Returns the outcome of a nested execution.
   * @param reader identity that reads it
   */
  private async outcome(arn: string, scope: Scope, reader: CallOptions): Promise<JsonObject> {
    const [machine, name] = arn.split(':').slice(-2) as [string, string];
    await this.ended({ machine, name }, scope);
    const kept = this.records.get(keyOf({ machine, name }))!;
    try {
      await useKey(kept.encryption, this.scope, reader);
    } catch (error) {
      throw new StateFailure('States.TaskFailed', (error as Error).message);
    }
    return nestedOutput(opened(kept, sealerOf(kept.encryption)), arn, this.owner.machineArn(machine));
  }

  private childControl(): ChildControl {
    return {
      nextOrder: () => this.nextOrder,
      record: (key) => this.records.get(key),
      definitionOf: (record) => this.definitionOf(record),
      sealerFor: (record) => this.sealerFor(record),
      linkOf: (starter) =>
        this.chains.of(
          this.owner.executionArn(starter),
          this.owner.machineArn(starter.machine),
          this.scope.clock.now(),
        ),
      start: (record, link) => void this.start(record, link),
      abandon: (key) => {
        if (!this.closed) this.halt(key);
      },
      ended: (execution, scope) => this.ended(execution, scope),
      canRedrive: (execution) => this.canRedrive(execution),
      redrive: (execution) => void this.redrive(execution),
      remove: (key) => this.remove(key),
    };
  }

  private logOf(record: Execution): ExecutionLog | undefined {
    return this.reports.logOf(record, () => this.records.get(keyOf(record))?.redrives ?? 0);
  }

  private append(key: string, event: EventRecord, sealer: Sealer, log?: ExecutionLog): void {
    log?.note(event);
    this.histories.append(key, event, sealer);
  }

  /** Removes expired executions. */
  private sweep(): void {
    const horizon = this.scope.clock.now() - RETENTION;
    for (const record of [...this.records.values()])
      if (record.stoppedAt !== undefined && record.stoppedAt < horizon) this.remove(keyOf(record));
  }

  private remove(key: string): void {
    const record = this.records.get(key);
    if (record && !record.batch)
      for (const child of this.mapRuns.remove(this.owner.executionArn(record))) this.remove(child);
    this.frames.delete(key);
    this.histories.remove(key);
    this.records.delete(key);
  }
}
