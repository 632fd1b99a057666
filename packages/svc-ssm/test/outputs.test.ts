import { expect, it } from 'vitest';
import { declaredOutputs } from '../src/automation/outputs.ts';

it('counts the work of all selectors of a step together', () => {
  const payload = { a: Array<number>(30_000).fill(0) };
  const outputs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ Name: `n${at}`, Selector: '$..*', Type: 'StringList' }));
  expect(declaredOutputs({ outputs: {}, payload }, { outputs: outputs(1) })).toHaveProperty('n0');
  expect(() => declaredOutputs({ outputs: {}, payload }, { outputs: outputs(20) })).toThrow('visits too many values');
});
