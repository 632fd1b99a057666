import { isObject, textOf } from '@emu/wire';
import { type Json, type JsonObject, objectsIn } from '../../documents/content.ts';
import { holds } from '../conditions.ts';
import { StepFailure } from '../failures.ts';
import { resolveValue } from '../references.ts';
import type { Action } from './types.ts';

/** Maximum duration of a sleep in milliseconds: seven days. */
const MAX_SLEEP = 604_800_000;
const MAX_ITERATIONS = 100;

/** Returns an ISO 8601 duration in milliseconds; undefined for other text. */
function durationOf(text: string): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (!match || text.endsWith('T') || text === 'P') return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-sleep.html */
export const sleep: Action = {
  async run(step) {
    const { Duration, Timestamp } = step.inputs;
    const { clock } = step.run;
    if (step.progress.until === undefined) {
      const duration = Duration === undefined ? undefined : durationOf(textOf(Duration));
      const time = Timestamp === undefined ? Number.NaN : Date.parse(textOf(Timestamp));
      if (duration === undefined && Number.isNaN(time))
        throw new StepFailure(
          `The time to sleep is not valid: ${textOf(Duration ?? Timestamp ?? '')}`,
          'InputResolution',
        );
      const now = clock.now();
      step.save({ until: Math.min(duration === undefined ? time : now + duration, now + MAX_SLEEP) });
    }
    await step.run.until(Number(step.progress.until), step.signal);
    return { outputs: {} };
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-branch.html */
export const branch: Action = {
  // References in choices that are not evaluated may be missing.
  raw: () => ({}),
  async run(step) {
    const { Choices, Default } = step.given;
    for (const choice of objectsIn(Choices)) {
      const { NextStep, ...condition } = choice;
      if (holds(await resolveValue(condition, step.run.referenceContext())))
        return { outputs: {}, next: textOf(NextStep!) };
    }
    return { outputs: {}, next: Default === undefined ? undefined : textOf(Default) };
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-update-variable.html */
export const updateVariable: Action = {
  async run(step) {
    const [, name = '', path = ''] = /^(?:variable:)?([A-Za-z0-9_]+)(?:\.(.+))?$/.exec(textOf(step.inputs.Name!)) ?? [];
    const { variables } = step.run.record;
    if (!Object.hasOwn(variables, name))
      throw new StepFailure(
        `Variable ${textOf(step.inputs.Name!)} is not defined in the Automation Document.`,
        'InputResolution',
      );
    step.run.update((draft) => {
      draft.variables[name] =
        path === '' ? step.inputs.Value! : withMember(draft.variables[name]!, path.split('.'), step.inputs.Value!);
    });
    return { outputs: {} };
  },
};

/** Returns a copy of a value with one member replaced. */
function withMember(value: Json, [key = '', ...rest]: readonly string[], replacement: Json): Json {
  const object = isObject(value) ? value : {};
  return { ...object, [key]: rest.length === 0 ? replacement : withMember(object[key] ?? {}, rest, replacement) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-loop.html */
export const loop: Action = {
  // The steps and the condition are resolved in each iteration.
  raw: ({ Steps: _steps, LoopCondition: _condition, ...inputs }) => inputs,
  async run(step) {
    const { run } = step;
    const { Iterators, MaxIterations } = step.inputs;
    const steps = step.given.Steps as JsonObject[];
    const values = Iterators === undefined ? undefined : Array.isArray(Iterators) ? Iterators : [Iterators];
    const most = Math.min(Number(MaxIterations ?? MAX_ITERATIONS) || MAX_ITERATIONS, MAX_ITERATIONS);
    if (values && values.length > MAX_ITERATIONS)
      throw new StepFailure(`A loop can have at most ${MAX_ITERATIONS} iterators`, 'InputResolution');
    for (let iteration = Number(step.progress.iteration ?? 1); ; iteration++) {
      if (values && iteration > values.length) break;
      const value = values?.[iteration - 1];
      const current: JsonObject = {
        CurrentIteration: iteration,
        ...(value !== undefined && { CurrentIteratorValue: value }),
      };
      if (step.progress.iteration !== iteration) step.save({ iteration, current });
      const parent = {
        id: step.id,
        name: step.name,
        action: 'aws:loop',
        iteration,
        ...(value !== undefined && { iteratorValue: textOf(value) }),
      };
      const position = {
        get next() {
          return step.progress.next as string | undefined;
        },
        save: (next: string) => step.save({ iteration, current, next }),
      };
      await run.runSteps(steps, position, parent);
      if (values) continue;
      const goesOn = holds(await resolveValue(step.given.LoopCondition!, run.referenceContext()));
      if (!goesOn || iteration >= most) break;
    }
    return { outputs: {} };
  },
};
