import type { StateScope } from '@emu/core/service';
import type { Block } from '../asl/definition.ts';
import { asRole } from '../integrations/role.ts';
import type { ExecutionRecord } from '../records.ts';
import type { Definitions } from '../runtime/definitions.ts';
import type { Batch, MapRunner, MapRunSpec, MapRuns } from '../runtime/map-runs.ts';
import type { Scope } from '../runtime/scope.ts';
import { opened, type Sealer } from '../sealing.ts';
import { type Execution, type ExecutionNames, keyOf } from './execution.ts';
import type { ChainLink } from './start-chains.ts';

/** Functions of the executions of an account and region that child executions need. */
export interface ChildControl {
  nextOrder(): number;
  record(key: string): Execution | undefined;
  definitionOf(record: Execution): Block;
  sealerFor(record: Execution): Sealer;
  /** Returns the link of an execution that another one starts. */
  linkOf(starter: Execution): ChainLink;
  start(record: ExecutionRecord, link: ChainLink): void;
  /** Stops an execution, unless the emulator closes, after which it continues. */
  abandon(key: string): void;
  ended(execution: Execution, scope: Scope): Promise<void>;
  canRedrive(execution: Execution): boolean;
  redrive(execution: Execution): void;
  remove(key: string): void;
}

/** Child executions of distributed Map states. */
export class MapChildren {
  constructor(
    private readonly control: ChildControl,
    private readonly names: ExecutionNames,
    private readonly scope: StateScope,
    private readonly mapRuns: MapRuns,
    private readonly definitions: Definitions,
  ) {}

  /** Returns the executions of a Map Run, ordered by batch. */
  of(arn: string): Execution[] {
    return this.mapRuns.keysOf(arn).flatMap((key) => this.control.record(key) ?? []);
  }

  /** Ends the Map Runs of an execution that did not succeed. */
  endRuns(record: Execution, status: ExecutionRecord['status']): void {
    for (const run of this.mapRuns.of(this.names.executionArn(record)))
      if (run.status === 'RUNNING') this.mapRuns.end(run.arn, status === 'ABORTED' ? 'ABORTED' : 'FAILED');
  }

  /** Returns the Map Run functions of an execution. */
  runner(parent: Execution, executionArn: string): MapRunner {
    const { mapRuns, names, scope } = this;
    return {
      begin: (spec: MapRunSpec) => {
        const arn = names.mapRunArn(parent.machine, spec.label, scope.ids.uuid());
        mapRuns.put({
          ...spec,
          arn,
          execution: executionArn,
          machine: parent.machine,
          status: 'RUNNING',
          written: [0, 0],
          startedAt: scope.clock.now(),
        });
        return arn;
      },
      sized: (arn, items, executions) => mapRuns.change(arn, (draft) => Object.assign(draft, { items, executions })),
      run: (arn) => mapRuns.get(arn),
      child: (arn, processor, type, batch, within) => this.run(parent, arn, processor, type, batch, within),
      redrive: (arn) => {
        this.redrive(arn);
        return mapRuns.redrive(arn);
      },
      end: (arn, status) => mapRuns.end(arn, status),
      written: (arn, executions, items) =>
        mapRuns.change(arn, (draft) => {
          draft.written = [executions, items];
        }),
      children: (arn) => this.of(arn).map((child) => opened(child, this.control.sealerFor(parent))),
      arnsOf: (child) => ({ execution: names.executionArn(child), machine: names.machineArn(child.machine) }),
      call: (service, operation, input) =>
        scope.callJson(service, operation, input, asRole({ roleArn: parent.roleArn, executionArn })),
    };
  }

  /** Continues the unsuccessful executions of a Map Run; express ones restart. */
  private redrive(arn: string): void {
    const { control, mapRuns } = this;
    for (const child of this.of(arn)) {
      if (child.status === 'RUNNING' || child.status === 'SUCCEEDED') continue;
      if (child.type === 'STANDARD' && control.canRedrive(child)) control.redrive(child);
      else {
        mapRuns.discard(arn, child.batch!.index);
        control.remove(keyOf(child));
      }
    }
  }

  /** Runs a batch of a distributed Map, or waits for its execution already started. */
  private async run(
    parent: Execution,
    arn: string,
    processor: Block,
    type: ExecutionRecord['type'],
    batch: Batch,
    within: Scope,
  ): Promise<Execution> {
    const { control } = this;
    const key = this.mapRuns.keyOf(arn, batch.index) ?? this.begin(parent, arn, processor, type, batch);
    try {
      await control.ended(control.record(key)!, within);
    } catch (error) {
      control.abandon(key);
      throw error;
    }
    return control.record(key)!;
  }

  private begin(parent: Execution, arn: string, processor: Block, type: ExecutionRecord['type'], batch: Batch): string {
    const { control, scope } = this;
    const { label } = this.mapRuns.get(arn)!;
    const { QueryLanguage = 'JSONPath' } = control.definitionOf(parent);
    const plain = this.definitions.share(JSON.stringify({ QueryLanguage, ...processor }));
    const record: ExecutionRecord = {
      machine: `${parent.machine}/${label}`,
      name: scope.ids.uuid(),
      type,
      status: 'RUNNING',
      order: control.nextOrder(),
      input: batch.input,
      definition: control.sealerFor(parent).share(plain),
      roleArn: parent.roleArn,
      tracing: parent.tracing,
      startedAt: scope.clock.now(),
      ...(parent.encryption && { encryption: parent.encryption }),
      ...(parent.logging && { logging: parent.logging }),
      batch: { mapRun: arn, index: batch.index, items: batch.items },
      ...(parent.testCase !== undefined && { testCase: parent.testCase }),
      ...(type === 'EXPRESS' && { expressId: scope.ids.uuid() }),
    };
    control.start(record, control.linkOf(parent));
    return keyOf(record);
  }
}
