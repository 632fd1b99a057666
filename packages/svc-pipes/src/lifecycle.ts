import { type InterruptedWork, interruptedRecords, parseArn, recordsBy, type Worker } from '@emu/core/service';
import { queueUrl, type SourceReader } from '@emu/polling';
import { AwsError } from '@emu/wire';
import { SOURCES, sourceKind } from './definition/sources.ts';
import { targetKind } from './definition/targets.ts';
import { callerFor } from './execution/addresses.ts';
import { undeliverable } from './execution/deliver.ts';
import type { PipeWork } from './execution/work.ts';
import { readerOf, sourceCaller } from './polling/runners.ts';
import type { PipeRecord } from './records.ts';
import type { Pipe, PipeHost } from './registry.ts';

type Current = PipeRecord['current'];

/** Transitional states of a pipe. */
const PASSING: ReadonlySet<Current> = new Set(['CREATING', 'UPDATING', 'DELETING', 'STARTING', 'STOPPING'] as const);

/** Failure state of each transitional state. */
const FAILED: Partial<Readonly<Record<Current, Current>>> = {
  CREATING: 'CREATE_FAILED',
  UPDATING: 'UPDATE_FAILED',
  STARTING: 'START_FAILED',
};

/** Moves pipes between states and reads the sources of running pipes. */
export class Lifecycle implements Worker {
  private readonly readers = new Map<string, SourceReader>();
  private readonly passing = new Map<string, Promise<void>>();
  private closed = false;

  constructor(private readonly state: PipeHost) {}

  interrupted(): InterruptedWork[] {
    const { state } = this;
    return interruptedRecords(
      recordsBy(
        () => state.listPipes(),
        ({ name }) => name,
        (name) => state.pipe(name),
      ),
      {
        name: ({ name }) => `pipe ${name}`,
        // A request may have changed it.
        idOf: ({ id, current }) => `${id} ${current}`,
        isLeft: ({ id, name, current }) =>
          (PASSING.has(current) || current === 'RUNNING') && !this.passing.has(name) && !this.readers.has(id),
        resume: (pipe) => this.goOn(pipe),
        fail: (pipe, reason) => this.settle(pipe, FAILED[pipe.current] ?? 'START_FAILED', reason),
      },
    );
  }

  /** Continues a pipe after a restart. */
  private goOn(pipe: Pipe): Promise<void> | undefined {
    if (PASSING.has(pipe.current)) {
      this.pass(pipe);
      return this.passing.get(pipe.name);
    }
    this.readers.set(pipe.id, readerOf(this.workOf(pipe)));
    return undefined;
  }

  close(): void {
    this.closed = true;
    for (const reader of this.readers.values()) reader.close();
    this.readers.clear();
  }

  /** Whether the transition of a pipe is being completed. */
  isPassing({ name, current }: Pipe): boolean {
    return PASSING.has(current) && this.passing.has(name);
  }

  /** Completes the transition of a pipe. A failure becomes its state. */
  pass(pipe: Pipe): void {
    const { state } = this;
    const passing = this.arrive(pipe)
      .catch((error: unknown) => {
        state.log.error(`the pipe ${pipe.name} could not leave the state ${pipe.current}`, { error });
        this.settle(pipe, FAILED[pipe.current] ?? 'STOP_FAILED', 'An internal error occurred.');
      })
      .finally(() => this.passing.delete(pipe.name));
    this.passing.set(pipe.name, passing);
  }

  private workOf(pipe: Pipe): PipeWork {
    return { state: this.state, pipe };
  }

  private async arrive(pipe: Pipe): Promise<void> {
    const reader = this.readers.get(pipe.id);
    this.readers.delete(pipe.id);
    reader?.close();
    await reader?.idle();
    if (this.closed) return;
    if (pipe.deleting) return this.state.removePipe(pipe);
    if (pipe.desired === 'STOPPED') return this.settle(pipe, 'STOPPED');
    const problem = await problemOf(this.workOf(pipe));
    if (this.closed) return;
    if (problem !== undefined) return this.settle(pipe, FAILED[pipe.current]!, problem);
    const next = readerOf(this.workOf(pipe));
    this.readers.set(pipe.id, next);
    await next.started;
    this.settle(pipe, 'RUNNING');
  }

  private settle({ name }: Pipe, current: Current, reason?: string): void {
    if (this.closed) return;
    this.state.changePipe(name, (draft) => {
      draft.current = current;
      delete draft.reason;
      if (reason !== undefined) draft.reason = reason;
    });
  }
}

/** Returns the reason why a pipe cannot run; otherwise undefined. */
async function problemOf(work: PipeWork): Promise<string | undefined> {
  const { source, sourceParameters, target, enrichment } = work.pipe;
  const { unread } = SOURCES[sourceKind(source, sourceParameters.parameters)!];
  if (unread !== undefined) return `emu does not read ${unread}.`;
  const lacking = undeliverable(target);
  if (lacking !== undefined) return `emu does not deliver to targets of ${lacking}.`;
  try {
    await askSource(work);
    const waits = work.pipe.targetParameters?.StepFunctionStateMachineParameters?.InvocationType !== 'FIRE_AND_FORGET';
    if (targetKind(target) === 'state-machine' && waits && (await isStandard(work, target)))
      return 'A STANDARD state machine can be invoked only with the invocation type FIRE_AND_FORGET.';
    if (enrichment !== undefined && targetKind(enrichment) === 'state-machine' && (await isStandard(work, enrichment)))
      return 'Only EXPRESS state machines can be enrichments.';
    return undefined;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return error.message;
  }
}

/** @throws AwsError if the source does not exist or cannot be read */
async function askSource(work: PipeWork): Promise<void> {
  const { source } = work.pipe;
  const call = sourceCaller(work);
  const arn = parseArn(source)!;
  if (arn.service === 'sqs') await call('sqs', 'GetQueueAttributes', { QueueUrl: queueUrl(source) });
  else if (arn.service === 'dynamodb') await call('dynamodbstreams', 'DescribeStream', { StreamArn: source, Limit: 1 });
  else if (arn.resource.includes('/consumer/'))
    await call('kinesis', 'DescribeStreamConsumer', { ConsumerARN: source });
  else await call('kinesis', 'DescribeStreamSummary', { StreamARN: source });
}

/** Whether a state machine is of type STANDARD. An unknown one may still be created. */
async function isStandard(work: PipeWork, arn: string): Promise<boolean> {
  const { authorize: _, ...options } = callerFor(work, arn, undefined);
  try {
    const machine = await work.state.call('stepfunctions', 'DescribeStateMachine', { stateMachineArn: arn }, options);
    return machine.type === 'STANDARD';
  } catch (error) {
    if (error instanceof AwsError && error.code === 'StateMachineDoesNotExist') return false;
    throw error;
  }
}
