import { type CallOptions, roleSessionPrincipal, type StateScope, type Worker } from '@emu/core/service';
import type { AlarmStateInformation, Target } from '@emu/service-types/ssm';
import { triggeredAlarms } from '../alarms.ts';
import { resolveDocument } from '../documents/resolve.ts';
import { errorText } from '../errors.ts';
import { asSsm } from '../parameters/events.ts';
import { Pollers } from '../pollers.ts';
import { announceAssociation, reportCompliance } from './announcements.ts';
import type { AssociationOwner } from './owner.ts';
import type { AssociationExecutionRecord, AssociationSettings, AssociationTargetRecord } from './records.ts';
import { type Association, type AssociationExecution, type AssociationStore, currentVersion } from './store.ts';

const HOUR = 3_600_000;
const RUNNING = 'InProgress';

/** Outcome of an execution. */
interface Outcome {
  status: string;
  detailedStatus: string;
  targets: AssociationTargetRecord[];
  /** Alarms that ended it. */
  alarms?: AlarmStateInformation[] | undefined;
}

/** Final statuses of commands and automations, with the corresponding association statuses. */
const OVER: Readonly<Record<string, string>> = {
  Success: 'Success',
  CompletedWithSuccess: 'Success',
  Failed: 'Failed',
  CompletedWithFailure: 'Failed',
  Rejected: 'Failed',
  Exited: 'Failed',
  TimedOut: 'TimedOut',
  Cancelled: 'Failed',
};

/** Runs associations as commands on nodes or as automations. */
export class AssociationRunner implements Worker {
  private readonly looks: Pollers;
  private closed = false;

  constructor(
    private readonly scope: StateScope,
    private readonly state: () => AssociationOwner,
  ) {
    this.looks = new Pollers(scope.clock);
  }

  resume(): void {
    for (const execution of [...this.store.executions.values()]) {
      if (execution.endedAt !== undefined) continue;
      if (execution.outputId === undefined) this.end(execution.id, failure('The call was interrupted by a restart.'));
      else this.look(execution.id);
    }
  }

  close(): void {
    this.closed = true;
    this.looks.cancelAll();
  }

  private get store(): AssociationStore {
    return this.state().associations;
  }

  /** Runs an association immediately. */
  run(association: Association): void {
    const { ids, clock } = this.scope;
    const { version, settings } = currentVersion(association);
    const id = ids.uuid();
    const now = clock.now();
    let outputType: AssociationExecutionRecord['outputType'] = 'RunCommand';
    try {
      if (resolveDocument(this.state(), settings.Name, settings.DocumentVersion).type === 'Automation')
        outputType = 'Automation';
    } catch {
      // If the document was deleted, the call below fails with the error.
    }
    this.store.executions.put(id, {
      id,
      associationId: association.id,
      version,
      outputType,
      status: 'Pending',
      detailedStatus: 'Pending',
      createdAt: now,
      targets: [],
    });
    this.store.associations.update(association.id, (draft) => {
      draft.executedAt = now;
      draft.status = 'Pending';
      draft.detailedStatus = 'Pending';
    });
    void this.begin(id, association, outputType);
  }

  private async begin(
    id: string,
    association: Association,
    type: AssociationExecutionRecord['outputType'],
  ): Promise<void> {
    const settings = currentVersion(association).settings as AssociationSettings;
    try {
      if (!(await this.calendarsAreOpen(settings, id))) {
        this.end(id, { status: 'Skipped', detailedStatus: 'The calendar is closed.', targets: [] });
        return;
      }
      const options = this.optionsFor(settings, id);
      const alarms = await this.triggeredAlarms(settings, options);
      if (alarms.length > 0) {
        this.end(id, { ...failure('An alarm of the association is in the state ALARM.'), alarms });
        return;
      }
      const outputId = await (type === 'Automation'
        ? this.startAutomation(settings, options)
        : this.sendCommand(association, settings, options));
      if (this.closed || !this.store.executions.has(id)) return;
      this.store.executions.update(id, (draft) => {
        draft.outputId = outputId;
        draft.status = RUNNING;
        draft.detailedStatus = RUNNING;
      });
      this.look(id);
      if (settings.Duration !== undefined)
        this.looks.at(`${id} end`, this.scope.clock.now() + settings.Duration * HOUR, () => void this.stop(id));
    } catch (error) {
      this.end(id, failure(errorText(error)));
    }
  }

  private optionsFor({ AssociationDispatchAssumeRole: role }: AssociationSettings, id: string): CallOptions {
    const own = asSsm(this.scope.accountId, this.scope.region, id);
    return role === undefined ? own : { ...own, principal: roleSessionPrincipal(role, id), authorize: {} };
  }

  /**
   * Returns the alarms that prevent the association from running.
   * @throws Error if their state is unavailable
   */
  private async triggeredAlarms({ AlarmConfiguration }: AssociationSettings, options: CallOptions) {
    return AlarmConfiguration ? triggeredAlarms(AlarmConfiguration, this.scope, options) : [];
  }

  private async calendarsAreOpen({ CalendarNames }: AssociationSettings, id: string): Promise<boolean> {
    if (!CalendarNames?.length) return true;
    const options = asSsm(this.scope.accountId, this.scope.region, id);
    const { State } = await this.scope.call('ssm', 'GetCalendarState', { CalendarNames }, options);
    return State !== 'CLOSED';
  }

  private async startAutomation(settings: AssociationSettings, options: CallOptions): Promise<string> {
    const { AutomationExecutionId } = await this.scope.call(
      'ssm',
      'StartAutomationExecution',
      {
        DocumentName: settings.Name,
        DocumentVersion: settings.DocumentVersion,
        Parameters: settings.Parameters,
        Targets: settings.Targets,
        TargetMaps: settings.TargetMaps,
        TargetParameterName: settings.AutomationTargetParameterName,
        MaxConcurrency: settings.MaxConcurrency,
        MaxErrors: settings.MaxErrors,
        TargetLocations: settings.TargetLocations?.length ? settings.TargetLocations : undefined,
        AlarmConfiguration: settings.AlarmConfiguration,
      },
      options,
    );
    return AutomationExecutionId!;
  }

  private async sendCommand(
    { instanceId }: Association,
    settings: AssociationSettings,
    options: CallOptions,
  ): Promise<string> {
    const { OutputS3BucketName, OutputS3KeyPrefix, OutputS3Region } = settings.OutputLocation?.S3Location ?? {};
    const Targets: Target[] =
      instanceId === undefined ? settings.Targets! : [{ Key: 'InstanceIds', Values: [instanceId] }];
    const { Command } = await this.scope.call(
      'ssm',
      'SendCommand',
      {
        DocumentName: settings.Name,
        DocumentVersion: settings.DocumentVersion,
        Parameters: settings.Parameters,
        Targets,
        MaxConcurrency: settings.MaxConcurrency,
        MaxErrors: settings.MaxErrors,
        OutputS3BucketName,
        OutputS3KeyPrefix,
        OutputS3Region,
        AlarmConfiguration: settings.AlarmConfiguration,
      },
      options,
    );
    return Command!.CommandId!;
  }

  private look(id: string): void {
    this.looks.watch(id, async () => {
      const execution = this.store.executions.get(id);
      if (!execution || execution.endedAt !== undefined) return true;
      let outcome: Outcome | undefined;
      try {
        outcome = await (execution.outputType === 'Automation'
          ? this.askAutomation(execution)
          : this.askCommand(execution));
      } catch (error) {
        outcome = failure(errorText(error));
      }
      if (!outcome) return false;
      this.end(id, outcome);
      return true;
    });
  }

  private async askAutomation({ id, outputId }: AssociationExecution): Promise<Outcome | undefined> {
    const { accountId, region } = this.scope;
    const input = { AutomationExecutionId: outputId! };
    const answer = await this.scope.call('ssm', 'GetAutomationExecution', input, asSsm(accountId, region, id));
    const { AutomationExecutionStatus = '', Target, TriggeredAlarms: alarms } = answer.AutomationExecution ?? {};
    const status = OVER[AutomationExecutionStatus];
    if (status === undefined) return undefined;
    const target = {
      resourceId: Target ?? outputId!,
      resourceType: 'AutomationExecution',
      status,
      detailedStatus: status,
    };
    const targets = [{ ...target, at: this.scope.clock.now() }];
    return { status, detailedStatus: AutomationExecutionStatus, targets, alarms };
  }

  private async askCommand({ id, outputId }: AssociationExecution): Promise<Outcome | undefined> {
    const options = asSsm(this.scope.accountId, this.scope.region, id);
    const input = { CommandId: outputId! };
    const { Commands } = await this.scope.call('ssm', 'ListCommands', input, options);
    const { Status = '', StatusDetails = '', TriggeredAlarms: alarms } = Commands?.[0] ?? {};
    const status = OVER[Status];
    if (status === undefined) return undefined;
    const targets: AssociationTargetRecord[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.scope.call('ssm', 'ListCommandInvocations', { ...input, NextToken }, options);
      for (const one of page.CommandInvocations ?? [])
        targets.push({
          resourceId: one.InstanceId!,
          resourceType: 'ManagedInstance',
          status: OVER[one.Status ?? ''] ?? 'Failed',
          detailedStatus: one.StatusDetails ?? '',
          at: this.scope.clock.now(),
        });
      NextToken = page.NextToken;
    } while (NextToken);
    return { status, detailedStatus: StatusDetails, targets, alarms };
  }

  /** Stops an execution that exceeds the association's time limit. */
  private async stop(id: string): Promise<void> {
    const execution = this.store.executions.get(id);
    if (!execution || execution.endedAt !== undefined) return;
    const options = asSsm(this.scope.accountId, this.scope.region, id);
    try {
      if (execution.outputType === 'Automation')
        await this.scope.call(
          'ssm',
          'StopAutomationExecution',
          { AutomationExecutionId: execution.outputId! },
          options,
        );
      else await this.scope.call('ssm', 'CancelCommand', { CommandId: execution.outputId! }, options);
    } catch (error) {
      this.scope.log.warn(`the execution ${id} of an association could not be ended`, { error });
    }
  }

  private end(id: string, { status, detailedStatus, targets, alarms }: Outcome): void {
    const triggered = alarms?.length ? { triggeredAlarms: alarms } : {};
    if (this.closed || !this.store.executions.has(id)) return;
    this.looks.cancel(`${id} end`);
    const now = this.scope.clock.now();
    const { associationId, version } = this.store.executions.update(id, (draft) => {
      draft.status = status;
      draft.detailedStatus = detailedStatus;
      draft.targets = targets;
      draft.endedAt = now;
      Object.assign(draft, triggered);
    });
    const known = this.store.associations.get(associationId);
    if (!known || currentVersion(known).version !== version) return;
    const association = this.store.associations.update(associationId, (draft) => {
      draft.status = status;
      draft.detailedStatus = detailedStatus;
      draft.counts = {};
      draft.triggeredAlarms = triggered.triggeredAlarms;
      for (const one of targets) draft.counts[one.status] = (draft.counts[one.status] ?? 0) + 1;
      if (status === 'Success') draft.succeededAt = now;
    });
    announceAssociation(association, targets, this.state(), id);
    reportCompliance(association, targets, this.state(), id);
  }
}

const failure = (detailedStatus: string): Outcome => ({ status: 'Failed', detailedStatus, targets: [] });
