import { isObject } from '@emu/wire';
import { invalid, templateError } from '../errors.ts';
import type { Evaluator } from './evaluate.ts';
import type { Template } from './template.ts';
import type { JsonObject } from './values.ts';

/**
 * Checks the template's rules with its parameters.
 * @throws AwsError `ValidationError` with the descriptions of failed assertions
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/rules-section-structure.html
 */
export function checkRules(template: Template, evaluator: Evaluator): void {
  for (const rule of Object.values(template.Rules)) {
    if (rule.RuleCondition !== undefined && !holds(rule.RuleCondition, evaluator)) continue;
    for (const assertion of Array.isArray(rule.Assertions) ? rule.Assertions : []) {
      const { Assert, AssertDescription } = assertion as JsonObject;
      if (!holds(Assert, evaluator)) throw invalid(String(AssertDescription ?? 'Assertion failed'));
    }
  }
}

/** Evaluates functions allowed only in rules, besides condition functions. */
function holds(value: unknown, evaluator: Evaluator): boolean {
  const [name, argument] = isObject(value) ? (Object.entries(value)[0] ?? []) : [];
  const list = Array.isArray(argument) ? argument : [];
  switch (name) {
    case 'Fn::And':
      return list.every((part) => holds(part, evaluator));
    case 'Fn::Or':
      return list.some((part) => holds(part, evaluator));
    case 'Fn::Not':
      return !holds(list[0], evaluator);
    case 'Fn::Contains':
      return texts(list[0], evaluator).includes(String(evaluator.evaluate(list[1])));
    case 'Fn::EachMemberEquals':
      return texts(list[0], evaluator).every((item) => item === String(evaluator.evaluate(list[1])));
    case 'Fn::EachMemberIn': {
      const allowed = texts(list[1], evaluator);
      return texts(list[0], evaluator).every((item) => allowed.includes(item));
    }
    case 'Fn::RefAll':
    case 'Fn::ValueOf':
    case 'Fn::ValueOfAll':
      throw templateError(`${name} is not supported by emu`);
    default:
      return evaluator.holds(value);
  }
}

function texts(value: unknown, evaluator: Evaluator): string[] {
  const list = evaluator.evaluate(value);
  return (Array.isArray(list) ? list : [list]).map(String);
}
