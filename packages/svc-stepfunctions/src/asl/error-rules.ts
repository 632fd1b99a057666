import { isObject } from '@emu/wire';
import type { Json, JsonObject } from './json.ts';
import { checkNumbers, type Report } from './numbers.ts';

const ALL_ERRORS = 'States.ALL';

/** Checks the error names of a retrier or catcher. */
function checkErrors(rule: JsonObject, at: string, last: boolean, report: Report): void {
  const { ErrorEquals: errors } = rule;
  const place = `${at}/ErrorEquals`;
  if (errors === undefined) report("The field 'ErrorEquals' is required but was missing", at);
  else if (!Array.isArray(errors)) report('Expected value of type Array', place);
  else if (errors.length === 0) report('Value cannot be empty', place);
  else if (!errors.every((name) => typeof name === 'string')) report('Expected value of type String', place);
  else if (errors.includes(ALL_ERRORS) && (errors.length > 1 || !last))
    report(`'${ALL_ERRORS}' must appear alone, in the last element of the list`, place);
}

/** Returns the objects of a list with their locations and whether each is the last. */
function* rulesOf(value: Json | undefined, at: string, report: Report) {
  if (value === undefined) return;
  if (!Array.isArray(value)) return report('Expected value of type Array', at);
  for (const [index, rule] of value.entries()) {
    const place = `${at}[${index}]`;
    if (isObject(rule)) yield { rule, place, last: index === value.length - 1 };
    else report('Expected value of type Object', place);
  }
}

/**
 * Checks the retriers of a state.
 * @param fields checks the fields of a retrier
 * @see https://states-language.net/spec.html#retrying-after-error
 */
export function checkRetry(
  state: JsonObject,
  at: string,
  fields: (rule: JsonObject, at: string) => void,
  report: Report,
) {
  for (const { rule, place, last } of rulesOf(state.Retry, `${at}/Retry`, report)) {
    fields(rule, place);
    checkErrors(rule, place, last, report);
    checkNumbers(rule, place, false, report);
    const { IntervalSeconds: interval = 1, MaxDelaySeconds: delay, JitterStrategy: jitter } = rule;
    if (typeof delay === 'number' && typeof interval === 'number' && delay < interval)
      report("'MaxDelaySeconds' must not be less than 'IntervalSeconds'", `${place}/MaxDelaySeconds`);
    if (jitter !== undefined && jitter !== 'FULL' && jitter !== 'NONE')
      report("The field 'JitterStrategy' should have one of these values: [FULL, NONE]", `${place}/JitterStrategy`);
  }
}

/**
 * Checks the catchers of a state.
 * @param check checks the fields, transition and expressions of a catcher
 * @see https://states-language.net/spec.html#fallback-states
 */
export function checkCatch(
  state: JsonObject,
  at: string,
  check: (rule: JsonObject, at: string) => void,
  report: Report,
) {
  for (const { rule, place, last } of rulesOf(state.Catch, `${at}/Catch`, report)) {
    check(rule, place);
    checkErrors(rule, place, last, report);
  }
}
