import {
  copyOf,
  type InterruptedWork,
  interruptedRecords,
  recordsBy,
  Slices,
  type StateScope,
  type Worker,
  waitBriefly,
} from '@emu/core/service';
import type { HookTargetAction, StackStatus } from '@emu/service-types/cloudformation';
import { HooksFailed, invokeStackHooks } from '../hooks/runner.ts';
import type { EngineHost, Run } from '../host.ts';
import type { DeploymentRecord, OperationPhase, OperationRecord } from '../stacks/records.ts';
import type { Operation, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { Applying, listed } from './applying.ts';
import { Deleting } from './deleting.ts';
import { OPERATION_TYPES } from './events.ts';
import { RollbackTriggers } from './rollback-triggers.ts';
import { Ended } from './steps.ts';

/** Maximum number of client tokens stored per stack. */
const MAX_TOKENS = 20;

/** Arguments to start an operation. */
export interface OperationStart {
  readonly record: Omit<OperationRecord, 'id' | 'startedAt' | 'leftovers' | 'phase'>;
  readonly phase: OperationPhase;
  readonly status: StackStatus;
  readonly reason?: string;
  /** Name of the request, stored with its client token. */
  readonly request: string;
}

/** States of a stack during a rollback. */
const ROLLBACK = /^(UPDATE_|IMPORT_)?ROLLBACK_IN_PROGRESS$/;

/** States of a stack after a successful operation. */
const SUCCEEDED = /^(CREATE|UPDATE|IMPORT)_COMPLETE$/;

/** Records in an executed change set how its operation ended. */
function endExecution(store: StackStore, { changeSet }: Operation, status: StackStatus): void {
  if (changeSet === undefined || !store.changeSet(changeSet)) return;
  store.updateChangeSet(changeSet, (draft) => {
    draft.execution = SUCCEEDED.test(status) ? 'EXECUTE_COMPLETE' : 'EXECUTE_FAILED';
  });
}

/** Cuts the work on all stacks into slices; those that wait go on one after the other. */
class Pauses {
  private readonly slices = new Slices();
  private last: Promise<void> | undefined;

  /** @returns undefined while the slice has time left and nothing waits */
  next(): Promise<void> | undefined {
    const pause = this.last ? this.last.then(() => this.slices.pause()) : this.slices.pause();
    if (!pause) return undefined;
    const last = pause.then(() => {
      if (this.last === last) this.last = undefined;
    });
    this.last = last;
    return last;
  }
}

/** Runs the operations on stacks, and resumes them after a restart. */
export class Deployments implements Worker {
  private readonly running = new Map<string, { run: Run; ended: Promise<void> }>();
  private readonly pauses = new Pauses();
  private closed = false;

  constructor(
    private readonly host: EngineHost,
    private readonly scope: StateScope,
    /** Called when an operation has ended. */
    private readonly ended: (stack: string) => void = () => undefined,
  ) {}

  interrupted(): InterruptedWork[] {
    const { store } = this.host;
    return interruptedRecords(
      recordsBy(
        () => store.operationsInProgress(),
        ({ stack }) => stack,
        (stack) => store.operation(stack),
      ),
      {
        name: ({ kind, id, stack }) => `${kind} ${id} of stack ${store.stack(stack)?.name ?? stack}`,
        idOf: ({ id }) => id,
        isLeft: ({ stack }) => !this.running.has(stack),
        resume: (operation) => {
          this.run(operation);
          return this.settled(operation.stack);
        },
        fail: ({ stack }, reason) => this.giveUp(stack, reason),
      },
    );
  }

  close(): void {
    this.closed = true;
    for (const { run } of this.running.values()) run.stop(new Ended());
  }

  /** Resolves when the operation on a stack has ended, or at once if none is running. */
  async settled(stack: string): Promise<void> {
    await this.running.get(stack)?.ended;
  }

  /** Resolves when the operation on a stack has ended, or when the waiting time of a response is over. */
  async endedOrTimedOut(stack: string): Promise<void> {
    await waitBriefly(() => !this.running.has(stack));
  }

  /** Starts an operation and runs it in the background. */
  begin(stack: Stack, { record, phase, status, reason, request }: OperationStart): Operation {
    const { store, events } = this.host;
    const operation = store.putOperation({
      ...record,
      id: store.ids.uuid(),
      phase,
      startedAt: store.clock.now(),
      leftovers: [],
    });
    if (record.kind !== 'delete') store.outdateChangeSets(stack.uuid);
    const changed = store.updateStack(stack.uuid, (draft) => {
      draft.status = status;
      if (reason === undefined) delete draft.reason;
      else draft.reason = reason;
      if (record.token !== undefined)
        draft.tokens = [...draft.tokens, { token: record.token, operation: request }].slice(-MAX_TOKENS);
      draft.lastOperations = [{ type: OPERATION_TYPES[record.kind], id: operation.id }];
    });
    events.stack(changed, operation, status, reason ?? 'User Initiated');
    this.run(operation);
    return operation;
  }

  /**
   * Cancels the current phase and starts a rollback.
   * @param token client token that identifies a repeated request
   */
  cancel(stack: string, token: string | undefined): void {
    if (token !== undefined)
      this.host.store.updateStack(stack, (draft) => {
        draft.tokens = [...draft.tokens, { token, operation: 'CancelUpdateStack' }].slice(-MAX_TOKENS);
      });
    // With `--no-resume`, nothing runs the update yet.
    const left = this.leftOn(stack);
    if (left) this.run(left);
    this.running.get(stack)?.run.stop(new Error('Resource update cancelled'));
  }

  /** Cancels the creation or update of a nested stack, whose parent does not wait for it any more. */
  stop(stack: string): void {
    if (this.host.store.operation(stack)?.phase !== 'apply') return;
    this.running.get(stack)?.run.stop(new Error('Resource creation cancelled'));
  }

  /** Ends an operation that a restart interrupted and that is not resumed, so that the stack can be deleted. */
  abandon(stack: string): void {
    if (this.leftOn(stack)) this.giveUp(stack, 'The operation was interrupted by a restart and not resumed.');
  }

  /** Returns the operation on a stack that nothing runs. */
  private leftOn(stack: string): Operation | undefined {
    return this.running.has(stack) ? undefined : this.host.store.operation(stack);
  }

  private run({ stack, deadline }: Operation): void {
    let abort = new AbortController();
    const run: Run = {
      host: this.host,
      stack,
      get signal() {
        return abort.signal;
      },
      stop: (reason) => abort.abort(reason),
      pause: () => this.pauses.next(),
      renew: () => {
        abort = new AbortController();
        if (this.closed) abort.abort(new Ended());
      },
      operation: () => this.host.store.operation(stack)!,
      closed: () => this.closed,
    };
    const timer =
      deadline === undefined
        ? undefined
        : this.scope.clock.at(deadline, () =>
            run.stop(new Error('Stack creation time exceeded the specified timeout.')),
          );
    const ended = new Work(run)
      .go()
      .catch((error: unknown) => {
        if (error instanceof Ended || this.closed) return;
        this.scope.log.error('an operation on a stack failed', { error, stack });
        this.giveUp(stack, error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        timer?.cancel();
        if (this.closed) return;
        this.running.delete(stack);
        this.ended(stack);
      });
    this.running.set(stack, { run, ended });
  }

  /** Ends an operation that failed by a defect of emu, so that the stack can be deleted. */
  private giveUp(stack: string, cause: string): void {
    const { store, events } = this.host;
    const operation = store.operation(stack);
    const known = store.stack(stack);
    if (!known || !operation) return;
    const status = `${known.status.split('_')[0]}_FAILED` as StackStatus;
    const reason = `Internal failure: ${cause}`;
    const failed = store.updateStack(stack, (draft) => {
      draft.status = status;
      draft.reason = reason;
    });
    events.stack(failed, operation, status, reason);
    endExecution(store, operation, status);
    store.deleteOperation(stack);
  }
}

/** Runs one operation phase by phase; each phase can be started again. */
class Work {
  constructor(private readonly run: Run) {}

  async go(): Promise<void> {
    for (let operation: Operation | undefined = this.run.operation(); operation; operation = this.current()) {
      // The response is sent before any work starts.
      await Promise.resolve();
      await this.phase(operation);
      if (this.run.closed()) throw new Ended();
    }
  }

  private current(): Operation | undefined {
    return this.run.host.store.operation(this.run.stack);
  }

  private async phase(operation: Operation): Promise<void> {
    switch (operation.phase) {
      case 'apply':
        return this.apply(operation);
      case 'cleanup':
        return this.cleanup('UPDATE_COMPLETE');
      case 'revert':
        return this.revert(operation);
      case 'revert-cleanup':
        return this.cleanup('UPDATE_ROLLBACK_COMPLETE');
      case 'delete':
        return this.delete();
    }
  }

  private async apply(operation: Operation): Promise<void> {
    const { kind } = operation;
    const apply = async () =>
      (await this.refusal(kind === 'create' ? 'CREATE' : 'UPDATE')) ?? (await new Applying(this.run).apply());
    const failure = kind === 'import' ? await apply() : await new RollbackTriggers(this.run).during(apply);
    if (this.run.closed()) throw new Ended();
    if (!failure) {
      if (kind === 'update') this.next('cleanup', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS');
      else this.end(kind === 'import' ? 'IMPORT_COMPLETE' : 'CREATE_COMPLETE');
      return;
    }
    if (operation.onFailure === 'nothing') {
      this.end(kind === 'create' ? 'CREATE_FAILED' : 'UPDATE_FAILED', failure);
      return;
    }
    if (kind === 'create') {
      if (operation.onFailure === 'delete') this.next('delete', 'DELETE_IN_PROGRESS', failure);
      else this.next('delete', 'ROLLBACK_IN_PROGRESS', `${failure}Rollback requested by user.`);
    } else if (kind === 'import') this.next('revert', 'IMPORT_ROLLBACK_IN_PROGRESS', failure);
    else this.next('revert', 'UPDATE_ROLLBACK_IN_PROGRESS', failure);
  }

  private async cleanup(status: StackStatus): Promise<void> {
    const left = await new Deleting(this.run).cleanUp(status === 'UPDATE_COMPLETE');
    this.end(status, left ? 'One or more resources could not be deleted.' : undefined);
  }

  private async revert(operation: Operation): Promise<void> {
    const failed = await new Applying(this.run).revert();
    const importing = operation.kind === 'import';
    if (failed.length) {
      this.end(importing ? 'IMPORT_ROLLBACK_FAILED' : 'UPDATE_ROLLBACK_FAILED', listed('update', failed));
      return;
    }
    const { previous } = operation;
    if (previous) this.becomes(previous as DeploymentRecord);
    if (importing) {
      new Deleting(this.run).discardImports();
      this.end('IMPORT_ROLLBACK_COMPLETE');
    } else this.next('revert-cleanup', 'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS');
  }

  /**
   * Invokes the stack hooks.
   * @returns the reason why the operation must stop
   */
  private async refusal(action: HookTargetAction): Promise<string | undefined> {
    try {
      await invokeStackHooks(this.run, action);
      return undefined;
    } catch (error) {
      if (error instanceof HooksFailed) return error.message;
      throw error;
    }
  }

  private async delete(): Promise<void> {
    const { host, stack } = this.run;
    const rollback = host.store.stack(stack)!.status === 'ROLLBACK_IN_PROGRESS';
    const refusal = this.run.operation().kind === 'delete' ? await this.refusal('DELETE') : undefined;
    if (refusal !== undefined) return this.end('DELETE_FAILED', refusal);
    const failed = await new Deleting(this.run).deleteAll(rollback);
    if (failed.length) this.end(rollback ? 'ROLLBACK_FAILED' : 'DELETE_FAILED', listed('delete', failed));
    else this.end(rollback ? 'ROLLBACK_COMPLETE' : 'DELETE_COMPLETE');
  }

  private discardDrift(): void {
    const { store } = this.run.host;
    store.updateStack(this.run.stack, (draft) => {
      delete draft.drift;
    });
    for (const { logicalId, drift } of store.resourcesIn(this.run.stack))
      if (drift)
        store.updateResource(this.run.stack, logicalId, (draft) => {
          delete draft.drift;
        });
  }

  /** Stores a deployment in the stack. */
  private becomes(deployment: DeploymentRecord): void {
    const { store } = this.run.host;
    store.updateStack(this.run.stack, (draft) => {
      delete draft.description;
      delete draft.rollbackConfiguration;
      Object.assign(draft, copyOf(deployment));
    });
  }

  private next(phase: OperationPhase, status: StackStatus, reason?: string): void {
    const { store, events } = this.run.host;
    // An automatic rollback is an operation of its own.
    const rollsBack = ROLLBACK.test(status) && !/^(rollback|continue-rollback)$/.test(this.run.operation().kind);
    const operation = store.updateOperation(this.run.stack, (draft) => {
      draft.phase = phase;
      delete draft.deadline;
      if (rollsBack) draft.rollback ??= { id: store.ids.uuid(), startedAt: store.clock.now() };
    });
    const { rollback } = operation;
    const stack = store.updateStack(this.run.stack, (draft) => {
      draft.status = status;
      if (reason === undefined) delete draft.reason;
      else draft.reason = reason;
      if (phase === 'delete') {
        draft.deletedAt = store.clock.now();
        delete draft.changeSetId;
      }
      if (rollback && draft.lastOperations[0]?.id !== rollback.id)
        draft.lastOperations.unshift({ type: OPERATION_TYPES.rollback, id: rollback.id });
    });
    this.run.renew();
    events.stack(stack, operation, status, reason);
  }

  private end(status: StackStatus, reason?: string): void {
    const { store, events } = this.run.host;
    const operation = this.run.operation();
    const now = store.clock.now();
    const stack = store.updateStack(this.run.stack, (draft) => {
      draft.status = status;
      if (reason === undefined) delete draft.reason;
      else draft.reason = reason;
      if (status === 'DELETE_COMPLETE') {
        draft.deletedAt = now;
        draft.terminationProtection = false;
        draft.imports = [];
      }
    });
    // Drift has been reverted or adopted by the template, so it is unknown until the next detection.
    if (operation.live && status === 'UPDATE_COMPLETE') this.discardDrift();
    if (!/FAILED$/.test(status))
      for (const resource of store.resourcesIn(stack.uuid))
        if (resource.before !== undefined || resource.done !== undefined)
          store.updateResource(stack.uuid, resource.logicalId, (draft) => {
            delete draft.before;
            delete draft.done;
          });
    endExecution(store, operation, status);
    store.deleteOperation(stack.uuid);
    // A stack has one of the two deployments, the previous or the new one.
    for (const deployment of [operation.previous, operation.target])
      if (deployment) store.dropTemplate(stack.uuid, deployment.templateId);
    events.stack(stack, operation, status, reason);
  }
}
