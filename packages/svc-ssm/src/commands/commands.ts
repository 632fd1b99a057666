import {
  type Collection,
  type DeepReadonly,
  DueTimers,
  type InterruptedWork,
  interruptedRecords,
  type Worker,
} from '@emu/core/service';
import type { CommandInvocationStatus } from '@emu/service-types/ssm';
import { triggeredAlarms } from '../alarms.ts';
import type { JsonObject } from '../documents/content.ts';
import type { Nodes } from '../nodes/nodes.ts';
import type { OutboxScope } from '../parameters/events.ts';
import { limitOf } from '../rate-control.ts';
import { announceCommand, announceInvocation } from './notifications.ts';
import { writeOutputs } from './outputs.ts';
import { type Plugin, pluginsOf } from './plan.ts';
import type { CommandRecord, InvocationRecord, PluginRecord } from './records.ts';

export type Command = DeepReadonly<CommandRecord>;

/** Retention of commands in milliseconds: 30 days, as in AWS. */
const RETENTION = 30 * 86_400_000;
/** Maximum number of output characters that are stored. */
const OUTPUT_LIMIT = 24_000;

const OVER: ReadonlySet<string> = new Set(['Success', 'Cancelled', 'TimedOut', 'Failed']);

/** Whether a command or invocation has ended. */
export const isOver = ({ status }: { readonly status: string }): boolean => OVER.has(status);

/** Changes to an invocation. */
export interface InvocationChange {
  status: CommandInvocationStatus;
  statusDetails?: string | undefined;
  responseCode?: number | undefined;
  stdout?: string | undefined;
  stderr?: string | undefined;
}

/** Commands of an account and region, with their delivery to nodes and its timeouts. */
export class Commands implements Worker {
  private readonly timers: DueTimers;
  private readonly running = new Map<string, AbortController>();
  private readonly enders = new Map<string, Set<() => void>>();

  constructor(
    private readonly scope: OutboxScope,
    private readonly records: Collection<CommandRecord>,
    private readonly nodes: Nodes,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const command of this.records.values()) if (!isOver(command)) this.watch(command);
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `command ${id}`,
      isLeft: (command) => !isOver(command),
      resume: ({ id }) => this.deliver(id),
      fail: ({ id, invocations }, stderr) => {
        for (const { instanceId, status } of invocations)
          if (!isOver({ status })) this.change(id, instanceId, { status: 'Failed', stderr });
      },
    });
  }

  close(): void {
    this.timers.cancelAll();
    for (const controller of this.running.values()) controller.abort(new Error('closing'));
  }

  get(id: string): Command | undefined {
    return this.records.get(id);
  }

  /** Returns all commands, oldest first. */
  all(): Iterable<Command> {
    return this.records.values();
  }

  /** Sends a command. */
  send(record: CommandRecord): Command {
    this.evictOld();
    const command = this.records.put(record.id, record);
    if (command.invocations.length === 0) return command;
    this.watch(command);
    void this.deliver(command.id);
    return command;
  }

  /** Resolves when a command has ended; immediately if it is unknown. */
  ended(id: string): Promise<void> {
    const command = this.records.get(id);
    if (!command || isOver(command)) return Promise.resolve();
    return new Promise((resolve) => {
      const enders = this.enders.get(id) ?? new Set();
      this.enders.set(id, enders.add(resolve));
    });
  }

  /**
   * Cancels the unfinished invocations of a command.
   * @param instanceIds nodes to cancel it on; empty for all
   */
  cancel(id: string, instanceIds: readonly string[]): void {
    for (const { instanceId, status } of this.records.get(id)!.invocations) {
      if (isOver({ status }) || (instanceIds.length > 0 && !instanceIds.includes(instanceId))) continue;
      this.running.get(`${id}/${instanceId}`)?.abort(new Error('cancelled'));
      this.change(id, instanceId, { status: 'Cancelled' });
    }
  }

  /** Updates an invocation and the status of its command. */
  change(id: string, instanceId: string, change: InvocationChange): void {
    const { status, statusDetails = status, responseCode, stdout, stderr } = change;
    const command = this.update(id, instanceId, (invocation) => {
      invocation.status = status;
      invocation.statusDetails = statusDetails;
      const ended = isOver({ status });
      for (const plugin of invocation.plugins) {
        if (ended && isOver(plugin)) continue;
        plugin.status = status === 'Delayed' ? 'Pending' : status === 'Cancelling' ? 'InProgress' : status;
        plugin.statusDetails = statusDetails;
        if (ended) plugin.endedAt = Math.floor(this.scope.clock.now());
        if (status !== 'Pending') plugin.startedAt ??= Math.floor(this.scope.clock.now());
        plugin.responseCode = responseCode ?? (ended ? (status === 'Success' ? 0 : status === 'Failed' ? 1 : -1) : -1);
        if (stdout !== undefined) plugin.stdout = stdout.slice(0, OUTPUT_LIMIT);
        if (stderr !== undefined) plugin.stderr = stderr.slice(0, OUTPUT_LIMIT);
      }
    });
    announceInvocation(this.scope, command, command.invocations.find((one) => one.instanceId === instanceId)!);
    this.settle(id);
  }

  private update(id: string, instanceId: string, change: (invocation: InvocationRecord) => void): Command {
    return this.records.update(id, (draft) => {
      change(draft.invocations.find((one) => one.instanceId === instanceId)!);
    });
  }

  /** Ends undelivered invocations at the delivery timeout. */
  private watch(command: Command): void {
    this.timers.set(command.id, command.deliverBy, () => {
      for (const { instanceId, status } of this.records.get(command.id)?.invocations ?? [])
        if (status === 'Pending' || status === 'Delayed')
          this.change(command.id, instanceId, { status: 'TimedOut', statusDetails: 'DeliveryTimedOut' });
    });
  }

  /** Runs a command on its nodes that are online, up to `MaxConcurrency` at a time. */
  private async deliver(id: string): Promise<void> {
    const { invocations, maxConcurrency, maxErrors } = this.records.get(id)!;
    const width = Math.max(1, limitOf(maxConcurrency, invocations.length));
    const tolerated = limitOf(maxErrors, invocations.length);
    const waiting = invocations.filter((invocation) => !isOver(invocation)).map(({ instanceId }) => instanceId);
    const work = async (): Promise<void> => {
      for (let instanceId = waiting.shift(); instanceId !== undefined; instanceId = waiting.shift()) {
        const command = this.records.get(id);
        if (!command) return;
        const failed = command.invocations.filter(
          ({ status, statusDetails }) => status === 'Failed' || statusDetails === 'ExecutionTimedOut',
        );
        if (command.alarms && !(await this.hasNoAlarm(command))) return this.cancel(id, []);
        if (failed.length > tolerated)
          this.change(id, instanceId, { status: 'Cancelled', statusDetails: 'Terminated' });
        else await this.invoke(command, instanceId);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
  }

  /** Whether no alarm of a command is in the state ALARM. */
  private async hasNoAlarm({ id, alarms, principal, cause }: Command): Promise<boolean> {
    const { accountId, region } = this.scope;
    const options = { accountId, region, principal: { ...principal }, cause };
    try {
      const triggered = await triggeredAlarms(alarms!, this.scope, options);
      if (triggered.length > 0)
        this.records.update(id, (draft) => {
          draft.triggeredAlarms = triggered;
        });
      return triggered.length === 0;
    } catch (error) {
      this.scope.log.warn(`the command ${id} is cancelled`, { error });
      return false;
    }
  }

  /** Runs a command on a node; leaves it pending if the node is offline. */
  private async invoke(command: Command, instanceId: string): Promise<void> {
    const { id } = command;
    const node = await this.nodes.get(instanceId);
    const current = this.records.get(id)?.invocations.find((one) => one.instanceId === instanceId);
    if (!node?.online || !current || isOver(current)) return;
    const controller = new AbortController();
    this.running.set(`${id}/${instanceId}`, controller);
    try {
      this.begin(id, instanceId);
      const plugins = pluginsOf(JSON.parse(command.content) as JsonObject, command.parameters);
      let outcome: InvocationChange = { status: 'Success' };
      for (const [index, plugin] of plugins.entries()) {
        const result = await this.runPlugin(instanceId, node.platform, plugin, controller.signal);
        if (controller.signal.aborted) return;
        const done = this.update(id, instanceId, (invocation) => Object.assign(invocation.plugins[index]!, result));
        const written = done.invocations.find((one) => one.instanceId === instanceId)!.plugins[index]!;
        await writeOutputs(done, instanceId, written, this.scope).catch((error: unknown) => {
          this.scope.log.warn(`the output of the command ${id} could not be written`, { error });
        });
        if (result.status !== 'Success' && outcome.status === 'Success')
          outcome = { status: result.status as CommandInvocationStatus, statusDetails: result.statusDetails };
      }
      if (!controller.signal.aborted) this.change(id, instanceId, outcome);
    } finally {
      this.running.delete(`${id}/${instanceId}`);
    }
  }

  private begin(id: string, instanceId: string): void {
    const command = this.update(id, instanceId, (invocation) => {
      invocation.status = 'InProgress';
      invocation.statusDetails = 'InProgress';
    });
    announceInvocation(this.scope, command, command.invocations.find((one) => one.instanceId === instanceId)!);
    this.settle(id);
  }

  private async runPlugin(
    instanceId: string,
    platform: string,
    plugin: Plugin,
    signal: AbortSignal,
  ): Promise<Omit<PluginRecord, 'name' | 'action'>> {
    const { clock } = this.scope;
    const startedAt = Math.floor(clock.now());
    const ended = (
      status: PluginRecord['status'],
      code: number,
      stdout = '',
      stderr = '',
      statusDetails: string = status,
    ) => ({
      status,
      statusDetails,
      responseCode: code,
      startedAt,
      endedAt: Math.floor(clock.now()),
      stdout: stdout.slice(0, OUTPUT_LIMIT),
      stderr: stderr.slice(0, OUTPUT_LIMIT),
    });
    if (plugin.platform !== undefined && plugin.platform !== platform)
      return ended('Success', 0, `Step execution skipped due to unsupported platform. Step name: ${plugin.name}`);
    const shell =
      plugin.action === 'aws:runShellScript'
        ? 'sh'
        : plugin.action === 'aws:runPowerShellScript'
          ? 'powershell'
          : undefined;
    if (!shell) return ended('Failed', 1, '', `The plugin ${plugin.action} is not supported by this node.`);
    const timeout = new AbortController();
    const timer = clock.after(plugin.timeout * 1000, () => timeout.abort(new Error('timed out')));
    try {
      const { lines, workingDirectory } = plugin;
      const result = await this.nodes.run(instanceId, {
        shell,
        lines,
        workingDirectory,
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      if (timeout.signal.aborted) return ended('TimedOut', 137, result.stdout, result.stderr, 'ExecutionTimedOut');
      return ended(result.code === 0 ? 'Success' : 'Failed', result.code, result.stdout, result.stderr);
    } catch (error) {
      if (timeout.signal.aborted) return ended('TimedOut', 137, '', '', 'ExecutionTimedOut');
      return ended('Failed', 1, '', (error as Error).message);
    } finally {
      timer.cancel();
    }
  }

  /** Derives the status of a command from its invocations. */
  private settle(id: string): void {
    const { invocations, maxErrors, status: before } = this.records.get(id)!;
    const failures = invocations.filter(
      ({ status, statusDetails }) => status === 'Failed' || statusDetails === 'ExecutionTimedOut',
    );
    const next = (): Pick<CommandRecord, 'status' | 'statusDetails'> => {
      if (!invocations.every(isOver))
        return invocations.every(({ status }) => status === 'Pending')
          ? { status: 'Pending', statusDetails: 'Pending' }
          : { status: 'InProgress', statusDetails: 'InProgress' };
      if (invocations.every(({ status }) => status === 'Success'))
        return { status: 'Success', statusDetails: 'Success' };
      if (failures.length > limitOf(maxErrors, invocations.length)) {
        const timedOut = failures.every(({ statusDetails }) => statusDetails === 'ExecutionTimedOut');
        return timedOut
          ? { status: 'TimedOut', statusDetails: 'ExecutionTimedOut' }
          : { status: 'Failed', statusDetails: 'Failed' };
      }
      if (invocations.every(({ status }) => status === 'Cancelled'))
        return { status: 'Cancelled', statusDetails: 'Cancelled' };
      if (invocations.every(({ status }) => status === 'TimedOut'))
        return { status: 'TimedOut', statusDetails: 'DeliveryTimedOut' };
      return { status: 'Failed', statusDetails: 'Incomplete' };
    };
    const { status, statusDetails } = next();
    if (status === before) return;
    const command = this.records.update(id, (draft) => {
      draft.status = status;
      draft.statusDetails = statusDetails;
    });
    announceCommand(this.scope, command);
    if (!isOver(command)) return;
    this.timers.cancel(id);
    for (const ender of this.enders.get(id) ?? []) ender();
    this.enders.delete(id);
  }

  private evictOld(): void {
    const oldest = this.scope.clock.now() - RETENTION;
    for (const command of this.records.values()) {
      if (command.requestedAt > oldest || !isOver(command)) return;
      this.records.delete(command.id);
    }
  }
}
