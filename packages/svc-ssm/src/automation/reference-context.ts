import type { JsonObject } from '../documents/content.ts';
import type { AutomationRecord } from './records.ts';
import type { ReferenceContext } from './references.ts';
import type { Run } from './types.ts';

/** Returns the context for resolving a runbook's values, which always reads the execution's current state. */
export function referenceContextOf(run: Run): ReferenceContext {
  const { accountId, region, call } = run.automations.scope;
  return {
    get record() {
      return run.record as AutomationRecord;
    },
    content: run.content,
    accountId,
    region,
    outputsOf(name) {
      const step = run.record.steps.findLast((one) => one.name === name && one.startedAt !== undefined);
      return step && ({ ...step.outputs, ...(step.progress.current as JsonObject | undefined) } as JsonObject);
    },
    async parameter(Name) {
      const { Parameter } = await call('ssm', 'GetParameter', { Name }, run.caller);
      return Parameter!.Value!;
    },
  };
}
