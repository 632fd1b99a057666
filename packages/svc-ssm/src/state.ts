import type { BodyStore, Clock, Collection, Ids, Logger, Place, StateScope, Worker, WorkingState } from '@emu/core';
import { documentCollection } from './documents/records.ts';
import type { DocumentSource } from './documents/resolve.ts';
import { DocumentTable } from './documents/table.ts';
import { emit, type ParameterChange } from './parameters/events.ts';
import { PolicyClock } from './parameters/policy-clock.ts';
import { ParameterTable } from './parameters/table.ts';
import { parameterCollection, type SettingRecord, settingCollection } from './records.ts';
import type { ParameterRegistry } from './registry.ts';
import { documentType, parameterType } from './resources.ts';

/** What Systems Manager keeps of one account and region. */
export class SsmState implements ParameterRegistry, DocumentSource, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly parameters: ParameterTable;
  readonly policyClock: PolicyClock;
  readonly settings: Collection<SettingRecord>;
  readonly documents: DocumentTable;
  readonly bodies: BodyStore;

  constructor(private readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.parameters = new ParameterTable(scope.collection(parameterCollection));
    this.settings = scope.collection(settingCollection);
    this.documents = new DocumentTable(scope.collection(documentCollection));
    this.bodies = scope.bodies;
    this.policyClock = new PolicyClock(scope, this.parameters);
    this.workers = [this.policyClock];
  }

  /** ARN of a parameter. */
  arnOf(name: string): string {
    return parameterType.arn({ name: name.replace(/^\//, '') }, this);
  }

  documentArn(name: string): string {
    return documentType.arn({ name }, this);
  }

  documentsOf({ accountId, region }: Place): DocumentTable | undefined {
    if (accountId === this.accountId && region === this.region) return this.documents;
    return (this.scope.service.existingState(accountId, region) as SsmState | undefined)?.documents;
  }

  /** Tells EventBridge what became of a parameter. @param cause id of the request that did it */
  tell(operation: ParameterChange, name: string, more: object, cause: string): void {
    emit(this.scope, 'Parameter Store Change', this.arnOf(name), { operation, name, ...more }, cause);
  }
}

/** Makes the state of an account and region. */
export function createState(scope: StateScope): SsmState {
  return new SsmState(scope);
}
