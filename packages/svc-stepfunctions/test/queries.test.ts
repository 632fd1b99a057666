import { afterAll, beforeAll, expect, test } from 'vitest';
import { timerDelay } from '../../../tools/testing/delays.ts';
import { compileQuery } from '../src/asl/queries/engine.ts';
import { type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn();
});
afterAll(() => t[Symbol.asyncDispose]());

const machine = (output: unknown) => ({
  QueryLanguage: 'JSONata',
  StartAt: 'S',
  States: { S: { Type: 'Pass', End: true, Output: output } },
});

/** Runs an expression and waits for its end without moving the clock. */
async function evaluated(expression: string, input: object = {}) {
  const executionArn = await t.start(await t.machine(machine(`{% ${expression} %}`)), input);
  const ended = () => t.sfn.describeExecution({ executionArn });
  await expect.poll(async () => (await ended()).status, { timeout: 50_000 }).not.toBe('RUNNING');
  const { output, error, cause } = await ended();
  return { output: output === undefined ? undefined : (JSON.parse(output) as unknown), error, cause };
}

const failed = (expression: string) =>
  `An error occurred while executing the state 'S' (entered at the event id #2). The JSONata expression '${expression}' specified for the field 'Output' threw an error during evaluation. `;

test.each([
  [
    'endless recursion',
    '($f := function(){ $f() }; $f())',
    /D1012: Evaluation timeout after 5000 milliseconds\. Check for infinite loop$/,
  ],
  ['doubled text', '($f := function($s){ $f($s & $s) }; $f("x"))', /Invalid string length$/],
  // On a busy machine, the time ends first.
  [
    'doubled list',
    '($f := function($s){ $f($append($s, $s)) }; $f([1, 2]))',
    /The expression needs too much memory\.$|D1012/,
  ],
])('fails for an expression above a limit, while others run: %s', async (_, expression, reason) => {
  const delay = await timerDelay(async () => {
    const hostile = [1, 2, 3].map(() => evaluated(expression));
    expect(await evaluated('$reduce($states.input, function($a, $b){ $a + $b })', [1, 2, 3])).toMatchObject({
      output: 6,
    });
    for (const each of hostile) {
      const { error, cause } = await each;
      expect(error).toBe('States.QueryEvaluationError');
      expect(cause).toContain(failed(expression));
      expect(cause).toMatch(reason);
    }
  });
  expect(delay).toBeLessThan(100);
  expect(await evaluated('$sort($states.input)', [3, 1, 2])).toMatchObject({ output: [1, 2, 3] });
});

test('ends an execution at once while its expression is evaluated', async () => {
  const executionArn = await t.start(await t.machine(machine('{% ($f := function(){ $f() }; $f()) %}')));
  await t.sfn.stopExecution({ executionArn });
  await expect
    .poll(async () => (await t.sfn.describeExecution({ executionArn })).status, { timeout: 3000 })
    .toBe('ABORTED');
});

test('rejects results above 256 KiB', async () => {
  expect(await evaluated('$map([1..60000], function($i){ $i })')).toMatchObject({ error: 'States.DataLimitExceeded' });
});

test('gives values of the clock and of chance in this thread and outside of it', async () => {
  const time = t.emulator.kernel.clock.now();
  const outside = (expression: string) => evaluated(`$map([1..3], function($i){ ${expression} })[0]`);
  for (const evaluate of [evaluated, outside]) {
    expect(await evaluate('$millis()')).toMatchObject({ output: time });
    expect(await evaluate('$now()')).toMatchObject({ output: new Date(time).toISOString() });
    expect(await evaluate('$now("[Y0001]", "+0000")')).toMatchObject({
      output: String(new Date(time).getUTCFullYear()),
    });
    // The first number of java.util.Random with this seed.
    expect(await evaluate('$random(42)')).toMatchObject({ output: 0.7275636800328681 });
    const { output: seeded } = await evaluate('$random(7)');
    expect(seeded).toBeLessThan(1);
    expect(await evaluate('$random(7)')).toMatchObject({ output: seeded });
    expect((await evaluate('$random()')).output).not.toBe((await evaluate('$random()')).output);
    expect((await evaluate('$uuid()')).output).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  }
});

/** Work of an expression for data of a size. */
const work = (expression: string, size = 10) => compileQuery(expression).plan.work?.(size);

test.each([
  '$states.input.items[0].name',
  '{"a": $x + 1, "b": $uppercase($y.z), "c": $uuid()}',
  '$states.input.value >= 20 and $states.input.value < 30',
  '$states.input.items[price > 5].{"name": name}',
  '$map($x, function($item){ $item.price * 2 })',
  '$exists($x) ? $x : "none"',
])('shows a bound of the work of a simple expression: %s', (expression) => {
  expect(work(expression)).toBeGreaterThan(0);
});

test('shows more work for nested evaluations', () => {
  expect(work('$x.($y.z)', 1000)).toBeGreaterThan(1_000_000);
  expect(work('$x[$count($y[a = 1]) > 0]', 1000)).toBeGreaterThan(1_000_000);
});

test.each([
  '($f := function(){ $f() }; $f())',
  '$x ~> $f',
  '$f($x)',
  '[1..1000000]',
  '$pad("", 1000000000)',
  '$join($x, $y)',
  '$now($x)',
  '$x.**',
  '$x.*.*',
  '$match($x, /a/)',
  '$x^(price)',
  '$x{a: $sum(b)}',
  '$x@$y.z',
  '$x.a.%.b',
  '[$x, $x].a.b',
])('shows no bound of the work of other expressions: %s', (expression) => {
  expect(work(expression)).toBeUndefined();
});

test('finds the values that an expression reads', () => {
  const plan = (expression: string) => {
    const { variables, states } = compileQuery(expression).plan;
    return { variables: [...variables].sort(), states: states && [...states].sort() };
  };
  expect(plan('$states.input.a & $x')).toEqual({ variables: ['x'], states: ['input'] });
  expect(plan('$map($states.result, function($v){ $v & $states.context.Execution.Id })')).toEqual({
    variables: ['map', 'v'],
    states: ['context', 'result'],
  });
  for (const expression of ['$states', '$states.*', '$states[input].result', '$states.input.%.result'])
    expect(plan(expression)).toMatchObject({ states: undefined });
});
