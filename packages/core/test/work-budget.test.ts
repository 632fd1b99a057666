import { expect, it } from 'vitest';
import { exceedsBytes } from '../src/base/exceeds-bytes.ts';
import { WorkBudget, WorkLimitError } from '../src/work/budget.ts';
import { canonicalJson } from '../src/work/canonical-json.ts';

it('counts steps and sizes', () => {
  const budget = new WorkBudget({ steps: 3, size: 10 });
  budget.step();
  budget.step(2);
  expect(() => budget.step()).toThrow(new WorkLimitError('steps', 3));
  budget.produce(10);
  expect(() => budget.produce(1)).toThrow('Produced values above the size of 10');
});

it('limits the depth of parts that are nested, not of parts after each other', () => {
  const budget = new WorkBudget({ depth: 2 });
  const nested = (levels: number): number => (levels === 0 ? 0 : budget.nested(() => nested(levels - 1) + 1));
  expect([nested(2), nested(2)]).toEqual([2, 2]);
  expect(() => nested(3)).toThrow('More than 2 levels of nesting');
  expect(nested(2)).toBe(2);
});

it('has no limit by default', () => {
  const budget = new WorkBudget({});
  budget.step(1e9);
  budget.produce(1e9);
  expect(budget.nested(() => 1)).toBe(1);
});

it('exceedsBytes counts UTF-8', () => {
  expect([exceedsBytes('é'.repeat(5), 10), exceedsBytes('é'.repeat(5), 9)]).toEqual([false, true]);
  expect([exceedsBytes('abc', 3), exceedsBytes('abcd', 3), exceedsBytes('😀', 4), exceedsBytes('😀', 3)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

it('canonicalJson is equal for equal values only, and counts them', () => {
  expect(canonicalJson({ b: [1, 'é', null], a: { d: true, c: undefined } })).toBe(
    '{"a":{"c":null,"d":true},"b":[1,"é",null]}',
  );
  expect(canonicalJson({ '1': 'a' })).not.toBe(canonicalJson(['a']));
  expect(() => canonicalJson([1, 2, 3], new WorkBudget({ steps: 3 }))).toThrow(WorkLimitError);
});
