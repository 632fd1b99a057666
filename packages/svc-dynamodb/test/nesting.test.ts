import { expect, it } from 'vitest';
import { makeIndexed, startDynamo } from './support.ts';

const nested = (depth: number, text: string): string => `${'('.repeat(depth)}${text}${')'.repeat(depth)}`;

it.each([
  ['Scan', { TableName: 'tab', FilterExpression: nested(30, 'b = n') }],
  ['Scan', { TableName: 'tab', FilterExpression: nested(1500, 'b = n') }],
  ['Scan', { TableName: 'tab', FilterExpression: `${'('.repeat(1500)}b` }],
  ['Scan', { TableName: 'tab', FilterExpression: `${'NOT '.repeat(900)}b = n` }],
  ['ExecuteStatement', { Statement: `SELECT * FROM tab WHERE ${nested(3000, "s = 'x'")}` }],
] as const)('%s answers at once however deep an expression nests', async (operation, input) => {
  await using t = await startDynamo();
  await makeIndexed(t);
  const { status } = await t.send(operation, input);
  expect([200, 400]).toContain(status);
});
