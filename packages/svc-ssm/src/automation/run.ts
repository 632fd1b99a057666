import { type CallOptions, roleSessionPrincipal, Slices } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { JsonObject } from '../documents/content.ts';
import { ACTIONS } from './actions/index.ts';
import { Ended, ExecutionFailure, StepFailure } from './failures.ts';
import { declaredOutputs } from './outputs.ts';
import type { AutomationRecord, ParentStepRecord, StepRecord } from './records.ts';
import { referenceContextOf } from './reference-context.ts';
import { type ReferenceContext, resolveValue } from './references.ts';
import type { AutomationSignal } from './signals.ts';
import type { AutomationHost, Execution, Position, Run, StepContext } from './types.ts';
import { until, waitFor } from './waiting.ts';

/** Maximum number of steps of an execution, which ends loops of jumps. */
const MAX_STEPS = 1000;

/** A running execution. */
export class AutomationRun implements Run {
  private controller = new AbortController();
  private stepController: { id: string; controller: AbortController } | undefined;
  private readonly listeners = new Map<string, (signal: AutomationSignal) => boolean>();
  private starts: ((step: string) => void) | undefined;
  readonly content: JsonObject;

  constructor(
    readonly automations: AutomationHost,
    readonly id: string,
  ) {
    this.content = JSON.parse(this.record.content) as JsonObject;
  }

  get record(): Execution {
    return this.automations.get(this.id)!;
  }

  get clock() {
    return this.automations.scope.clock;
  }

  /** Identity with which its steps call services. */
  get caller(): CallOptions {
    const { principal, role, cause, id } = this.record;
    const { accountId, region } = this.automations.scope;
    return {
      accountId,
      region,
      principal: role === undefined ? { ...principal } : roleSessionPrincipal(role, `Automation-${id}`),
      authorize: { sourceArn: this.automations.arnOf(id), sourceAccount: accountId },
      cause,
    };
  }

  /** Aborted when the execution must end. */
  get stopSignal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the execution pauses until a restart. */
  get suspended(): boolean {
    const { reason } = this.controller.signal;
    return reason instanceof Ended && reason.why === 'suspended';
  }

  /** Ends the execution: `suspended` means until a restart, every other reason is final. */
  end(why: Ended['why']): void {
    this.controller.abort(new Ended(why));
  }

  /**
   * Ends the running step with an id.
   * @returns whether it was running
   */
  stopStep(id: string): boolean {
    if (this.stepController?.id !== id) return false;
    this.stepController.controller.abort(new Ended('stopped'));
    return true;
  }

  /** Whether a step waits for a signal, or the execution for the start of a step. */
  get awaitsSignal(): boolean {
    return this.listeners.size > 0 || this.starts !== undefined;
  }

  /**
   * Delivers a signal to the step that waits for it.
   * @returns whether a step accepted it
   */
  deliver(signal: AutomationSignal): boolean {
    return [...this.listeners.values()].some((listener) => listener(signal));
  }

  /**
   * Starts a step of an interactive execution.
   * @returns whether the execution was waiting for it
   */
  startStep(name: string): boolean {
    this.starts?.(name);
    return this.starts !== undefined;
  }

  /** Waits for a signal to a step. */
  forSignal<T>(step: StepContext, take: (signal: AutomationSignal, done: (value: T) => void) => boolean): Promise<T> {
    return waitFor<T>(step.signal, (resolve) => {
      this.listeners.set(step.id, (signal) => take(signal, resolve));
      return () => this.listeners.delete(step.id);
    });
  }

  update(change: (draft: AutomationRecord) => void): void {
    this.automations.update(this.id, change);
  }

  updateStep(id: string, change: (draft: StepRecord) => void): void {
    this.update((draft) => change(draft.steps.find((step) => step.id === id)!));
    this.automations.announceStep(this.record, id);
  }

  /**
   * Runs from the recorded position to the end.
   * @throws Ended, ExecutionFailure
   */
  async steps(): Promise<void> {
    const self = this;
    const position: Position = {
      get next() {
        return self.record.next;
      },
      save: (next) =>
        this.update((draft) => {
          draft.next = next;
        }),
    };
    await this.runSteps(this.content.mainSteps as JsonObject[], position, undefined);
    if (this.record.failed) throw new ExecutionFailure(this.record.failureMessage ?? 'A critical step has failed.');
  }

  /** Runs steps in sequence. */
  async runSteps(
    steps: readonly JsonObject[],
    position: Position,
    parent: ParentStepRecord | undefined,
  ): Promise<void> {
    let name = position.next ?? (steps[0]?.name as string | undefined);
    // Most actions end at once, so that loops of jumps would block the process.
    const slices = new Slices();
    // An empty name means the end of the steps.
    while (name) {
      const pause = slices.pause();
      if (pause) await pause;
      const index = steps.findIndex((step) => step.name === name);
      const definition = steps[index];
      if (!definition) throw new ExecutionFailure(`Step ${name} is not defined in the Automation Document.`);
      const following = steps[index + 1]?.name as string | undefined;
      name = await this.step(definition, following, parent);
      position.save(name ?? '');
    }
  }

  /**
   * Runs a step.
   * @returns the next step; undefined at the end
   */
  private async step(
    definition: JsonObject,
    following: string | undefined,
    parent: ParentStepRecord | undefined,
  ): Promise<string | undefined> {
    if (this.record.steps.length > MAX_STEPS)
      throw new ExecutionFailure(`The execution has run ${MAX_STEPS} steps, the most there may be.`);
    await this.automations.checkAlarms(this);
    if (this.record.mode === 'Interactive' && !parent) await this.awaitStart(definition.name as string);
    const { nextStep = following, isEnd = false, onFailure = 'Abort', onCancel } = definition;
    const ordinary = isEnd === true ? undefined : (nextStep as string | undefined);
    const step = this.beginStep(definition, parent);
    try {
      const { next } = await this.attempts(step, definition);
      return next === undefined ? ordinary : next || undefined;
    } catch (error) {
      if (error instanceof ExecutionFailure) throw error;
      const failed = error instanceof StepFailure || (error instanceof Ended && error.why === 'timed-out');
      if (!failed) return this.ended(error, step, onCancel as string | undefined, ordinary);
      const failedStep = this.record.steps.find(({ id }) => id === step)!;
      const message = failedStep.failure?.message ?? error.message;
      const critical = definition.isCritical ?? onFailure !== 'Continue';
      if (onFailure === 'Abort' && !(this.record.mode === 'Interactive' && !parent))
        throw new ExecutionFailure(message, failedStep.status === 'TimedOut' ? 'TimedOut' : 'Failed');
      if (critical === true || critical === 'true')
        this.update((draft) => {
          draft.failed = true;
          draft.failureMessage ??= message;
        });
      return String(onFailure).startsWith('step:') ? String(onFailure).slice('step:'.length) : ordinary;
    }
  }

  /**
   * Returns the step after one that was ended externally.
   * @throws Ended
   */
  private ended(
    error: unknown,
    id: string,
    onCancel: string | undefined,
    ordinary: string | undefined,
  ): string | undefined {
    if (!(error instanceof Ended)) throw error;
    if (error.why === 'suspended') throw error;
    this.updateStep(id, (step) => {
      step.status = 'Cancelled';
      step.endedAt = Math.floor(this.clock.now());
    });
    if (error.why === 'stopped') return ordinary;
    if (error.why !== 'cancelled' || !onCancel?.startsWith('step:')) throw error;
    // The steps of `onCancel` run like any other step.
    this.controller = new AbortController();
    this.update((draft) => {
      draft.failed = true;
      draft.failureMessage ??= 'The execution was cancelled.';
    });
    return onCancel.slice('step:'.length);
  }

  /** Waits until a step of an interactive execution is started. */
  private async awaitStart(name: string): Promise<void> {
    const running = this.record.steps.some(
      (step) => step.name === name && step.startedAt !== undefined && !step.endedAt,
    );
    if (running) return;
    this.automations.setStatus(this.id, 'Waiting');
    await waitFor<void>(this.controller.signal, (resolve) => {
      this.starts = (started) => {
        if (started === name) resolve();
      };
      return () => {
        this.starts = undefined;
      };
    });
    this.automations.setStatus(this.id, 'InProgress');
  }

  /**
   * Records a step that starts, or that continues after a restart.
   * @returns its id
   */
  private beginStep(definition: JsonObject, parent: ParentStepRecord | undefined): string {
    const name = definition.name as string;
    const same = (step: Readonly<StepRecord>): boolean =>
      step.name === name && step.parent?.id === parent?.id && step.parent?.iteration === parent?.iteration;
    const known = this.record.steps.findLast((step) => same(step as StepRecord) && step.endedAt === undefined);
    const id = known?.id ?? this.automations.scope.ids.uuid();
    if (!known)
      this.update((draft) => {
        const record: StepRecord = {
          id,
          name,
          action: definition.action as string,
          status: 'Pending',
          inputs: {},
          outputs: {},
          progress: {},
        };
        draft.steps.push(parent ? { ...record, parent } : record);
      });
    if (known?.startedAt === undefined)
      this.updateStep(id, (step) => {
        step.status = 'InProgress';
        step.startedAt = Math.floor(this.clock.now());
      });
    return id;
  }

  /**
   * Runs a step up to `maxAttempts` times.
   * @returns the next step that its action chose, if any; `''` to end the execution
   */
  private async attempts(id: string, definition: JsonObject): Promise<{ next: string | undefined }> {
    const most = Math.max(1, Number(definition.maxAttempts ?? 1) || 1);
    for (let attempt = 1; ; attempt++)
      try {
        const { outputs, next } = await this.attempt(id, definition);
        this.updateStep(id, (step) => {
          step.status = 'Success';
          step.endedAt = Math.floor(this.clock.now());
          step.outputs = outputs;
          step.responseCode = '0';
          if (next) step.nextStep = next;
        });
        return { next };
      } catch (thrown) {
        const error = this.asFailure(thrown);
        const isTimeout = error instanceof Ended && error.why === 'timed-out';
        if (!(error instanceof StepFailure) && !isTimeout) throw error;
        if (attempt < most) {
          this.update((draft) => {
            draft.steps.find((step) => step.id === id)!.progress = {};
          });
          continue;
        }
        const message = isTimeout ? `Step ${String(definition.name)} timed out.` : error.message;
        this.updateStep(id, (step) => {
          step.status = isTimeout ? 'TimedOut' : 'Failed';
          step.endedAt = Math.floor(this.clock.now());
          step.failure =
            error instanceof StepFailure
              ? { message, stage: error.stage, type: error.type }
              : { message, stage: 'Invocation', type: 'TimedOut' };
        });
        throw error;
      }
  }

  /** Converts an action's error; internal errors are logged. */
  private asFailure(error: unknown): Error {
    if (error instanceof Ended || error instanceof StepFailure || error instanceof ExecutionFailure) return error;
    const message = error instanceof Error ? error.message : String(error);
    this.automations.scope.log.error(`A step of an automation failed for a reason of emu's own: ${message}`, { error });
    return new StepFailure(message);
  }

  private async attempt(
    id: string,
    definition: JsonObject,
  ): Promise<{ outputs: JsonObject; next: string | undefined }> {
    const name = definition.name as string;
    const action = ACTIONS[definition.action as string];
    if (!action) throw new StepFailure(`The action ${String(definition.action)} is not carried out by emu`);
    const given = isObject(definition.inputs) ? definition.inputs : {};
    const around = this.referenceContext();
    const run = this;
    const inputs = (await resolveValue(action.raw ? action.raw(given) : given, around)) as JsonObject;
    const seconds = await this.timeoutOf(definition, action.timeout, around);
    const controller = new AbortController();
    this.stepController = { id, controller };
    const step = this.record.steps.find((one) => one.id === id)!;
    const deadline = seconds === undefined ? undefined : step.startedAt! + seconds * 1000;
    const timer =
      deadline === undefined ? undefined : this.clock.at(deadline, () => controller.abort(new Ended('timed-out')));
    this.updateInputs(id, inputs);
    try {
      const context: StepContext = {
        run,
        id,
        name,
        inputs,
        given,
        signal: AbortSignal.any([this.controller.signal, controller.signal]),
        timeout: seconds,
        get progress() {
          return run.record.steps.find((one) => one.id === id)!.progress as JsonObject;
        },
        save: (progress) =>
          this.update((draft) => {
            draft.steps.find((one) => one.id === id)!.progress = progress;
          }),
        status: (status) => {
          this.updateStep(id, (one) => {
            one.status = status;
          });
          this.automations.setStatus(this.id, status);
        },
      };
      const result = await action.run(context);
      return { outputs: declaredOutputs(result, definition), next: result.next };
    } finally {
      timer?.cancel();
      this.stepController = undefined;
    }
  }

  private updateInputs(id: string, inputs: JsonObject): void {
    this.update((draft) => {
      draft.steps.find((one) => one.id === id)!.inputs = inputs;
    });
  }

  /** Returns the timeout of a step, in seconds. */
  private async timeoutOf(
    definition: JsonObject,
    usual: number | undefined,
    around: ReferenceContext,
  ): Promise<number | undefined> {
    if (definition.timeoutSeconds === undefined) return usual;
    const seconds = Number(await resolveValue(definition.timeoutSeconds, around));
    return seconds > 0 ? seconds : usual;
  }

  /** Returns the context for resolving values of the runbook. */
  referenceContext(): ReferenceContext {
    return referenceContextOf(this);
  }

  /** Waits until a time. */
  async until(time: number, signal: AbortSignal): Promise<void> {
    await until(this.clock, time, signal);
  }
}
