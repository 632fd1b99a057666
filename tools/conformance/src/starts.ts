import { differencesOf } from './differences.ts';
import { ReturnedMembers } from './outputs.ts';
import type { Facts, Scenario } from './scenario.ts';
import { type Checkpoint, Stage } from './stage.ts';

/** A stage at a checkpoint, for one request. */
export interface Attempt {
  stage: Stage;
  facts: Facts;
}

/** State at the start of an operation's requests. */
export class Start {
  constructor(
    private readonly stages: Stages,
    private readonly operation: string,
    private current: { stage: Stage; checkpoint: Checkpoint },
    /** Whether records are only a part of the state, so that it is recreated each time. */
    private readonly live: boolean,
  ) {}

  get facts(): Facts {
    return this.current.checkpoint.facts;
  }

  /** Restores the state of the checkpoint. */
  async fresh(): Promise<Attempt> {
    const { stage, checkpoint } = this.current;
    if (this.live) this.current = await this.stages.remake(this.operation);
    else await stage.restore(checkpoint);
    return { stage: this.current.stage, facts: this.current.checkpoint.facts };
  }

  /** Returns the state after the last request, which equals the checkpoint unless records changed. */
  async shared(): Promise<Attempt> {
    if (this.changes().length) return this.fresh();
    return { stage: this.current.stage, facts: this.facts };
  }

  /** Returns the records that differ from the checkpoint. */
  changes(): string[] {
    const { stage, checkpoint } = this.current;
    return [
      ...new Set(
        differencesOf(Object.fromEntries(checkpoint.records), Object.fromEntries(stage.records())).map(
          ({ path }) => path[0]!,
        ),
      ),
    ];
  }

  /** Returns the results of the describing operations at the checkpoint. */
  observed(): Promise<string> {
    return this.stages.observed(this, this.operation);
  }
}

/** Start states of a service's requests. */
export class Stages implements AsyncDisposable {
  /** State of an operation that is recreated for each request. */
  private own: Stage | undefined;
  private readonly observations = new Map<string, Promise<string>>();

  private constructor(
    private readonly scenario: Scenario,
    private readonly time: number,
    private readonly base: { stage: Stage; checkpoint: Checkpoint },
    /** Members of all outputs so far. */
    readonly returned: ReturnedMembers,
  ) {}

  /** Creates the scenario's state. */
  static async open(scenario: Scenario): Promise<Stages> {
    const time = Date.now();
    const returned = new ReturnedMembers(scenario.model);
    return new Stages(scenario, time, await Stage.open(scenario, time, returned), returned);
  }

  /** Implemented operations of the service. */
  get operations(): string[] {
    return this.base.stage.operations;
  }

  /** Returns the start state for requests of an operation. It is valid until another operation's state is requested. */
  async startOf(operation: string): Promise<Start> {
    const { scenario, base } = this;
    if (scenario.live?.includes(operation)) return new Start(this, operation, await this.remake(operation), true);
    await base.stage.restore(base.checkpoint);
    return new Start(this, operation, await this.prepared(base, operation), false);
  }

  /** Returns the state of an operation, recreated in a separate emulator. */
  async remake(operation: string): Promise<{ stage: Stage; checkpoint: Checkpoint }> {
    await this.own?.[Symbol.asyncDispose]();
    const opened = await Stage.open(this.scenario, this.time, this.returned);
    this.own = opened.stage;
    return this.prepared(opened, operation);
  }

  /** See `Start.observed`. */
  observed(start: Start, operation: string): Promise<string> {
    const key = this.scenario.before?.[operation] ? operation : '';
    let observation = this.observations.get(key);
    if (!observation) {
      observation = start
        .fresh()
        .then(async ({ stage, facts }) => JSON.stringify(await this.scenario.observe(stage.send, facts)));
      this.observations.set(key, observation);
    }
    return observation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.own?.[Symbol.asyncDispose]();
    await this.base.stage[Symbol.asyncDispose]();
  }

  private async prepared(
    { stage, checkpoint }: { stage: Stage; checkpoint: Checkpoint },
    operation: string,
  ): Promise<{ stage: Stage; checkpoint: Checkpoint }> {
    const before = this.scenario.before?.[operation];
    if (!before) return { stage, checkpoint };
    const { facts, seed } = checkpoint;
    const more = await before(stage.send, facts);
    return { stage, checkpoint: stage.checkpoint({ ...facts, ...more }, `${seed}/${operation}`) };
  }
}
