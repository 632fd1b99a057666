import { WorkBudget } from '@emu/core/service';
import { type JsonObject, objectsIn } from '../documents/content.ts';
import type { ActionResult } from './actions/types.ts';
import { StepFailure } from './failures.ts';
import { compact, select, typed } from './values.ts';

/** Limit of the values that all selectors of a step visit; each has its own, lower one. */
const MAX_VISITS = 600_000;

/**
 * Returns the outputs of a step: those of its action, and those the runbook selects from the payload.
 * @throws StepFailure for a selector without a value of the declared type
 */
export function declaredOutputs({ outputs, payload }: ActionResult, definition: JsonObject): JsonObject {
  const selected = objectsIn(definition.outputs);
  const source = payload ?? outputs;
  const work = new WorkBudget({ steps: MAX_VISITS });
  const found = selected.map(({ Name, Selector, Type = 'String' }) => {
    const value = typed(select(source, String(Selector ?? `$.${String(Name)}`), work), String(Type));
    if (value === undefined && payload !== undefined)
      throw new StepFailure(
        `Failed to resolve output: ${String(Name)} to type ${String(Type)}. The selector ${String(Selector)} matched no value of that type`,
        'Verification',
      );
    return [String(Name), value] as const;
  });
  return {
    ...outputs,
    ...compact(Object.fromEntries(found)),
    ...(payload !== undefined && { OutputPayload: payload }),
  };
}
