import { differencesOf } from './differences.ts';
import type { Facts, Scenario } from './scenario.ts';
import { type Checkpoint, Stage } from './stage.ts';

/** A stage that is at a checkpoint, against which one request is made. */
export interface Attempt {
  stage: Stage;
  facts: Facts;
}

/** The state that the requests of one operation start from. */
export class Start {
  constructor(
    private readonly stages: Stages,
    private readonly operation: string,
    private current: { stage: Stage; checkpoint: Checkpoint },
    /** Whether the records are not all of the state, so that it is made anew each time. */
    private readonly live: boolean,
  ) {}

  get facts(): Facts {
    return this.current.checkpoint.facts;
  }

  /** The state as it was at the checkpoint. */
  async fresh(): Promise<Attempt> {
    const { stage, checkpoint } = this.current;
    if (this.live) this.current = await this.stages.remake(this.operation);
    else await stage.restore(checkpoint);
    return { stage: this.current.stage, facts: this.current.checkpoint.facts };
  }

  /** The state as the last request left it, which is the checkpoint's unless that request changed records. */
  async shared(): Promise<Attempt> {
    if (this.changes().length) return this.fresh();
    return { stage: this.current.stage, facts: this.facts };
  }

  /** Which records are no longer as they were at the checkpoint. */
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

  /** What the describing operations say at the checkpoint. */
  observed(): Promise<string> {
    return this.stages.observed(this, this.operation);
  }
}

/** The states that the requests of a service start from. */
export class Stages implements AsyncDisposable {
  /** Of the operation whose state is made anew for each request. */
  private own: Stage | undefined;
  private readonly observations = new Map<string, Promise<string>>();

  private constructor(
    private readonly scenario: Scenario,
    private readonly time: number,
    private readonly base: { stage: Stage; checkpoint: Checkpoint },
  ) {}

  /** Makes the scenario's state. */
  static async open(scenario: Scenario): Promise<Stages> {
    const time = Date.now();
    return new Stages(scenario, time, await Stage.open(scenario, time));
  }

  /** Operations of the service that emu implements. */
  get operations(): string[] {
    return this.base.stage.operations;
  }

  /** The state that requests of an operation start from. It is good until that of another operation is asked for. */
  async startOf(operation: string): Promise<Start> {
    const { scenario, base } = this;
    if (scenario.live?.includes(operation)) return new Start(this, operation, await this.remake(operation), true);
    await base.stage.restore(base.checkpoint);
    return new Start(this, operation, await this.prepared(base, operation), false);
  }

  /** The state of an operation, made anew in an emulator of its own. */
  async remake(operation: string): Promise<{ stage: Stage; checkpoint: Checkpoint }> {
    await this.own?.[Symbol.asyncDispose]();
    const opened = await Stage.open(this.scenario, this.time);
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
