import { expect, it } from 'vitest';
import { EnvironmentLog } from '../src/runtime/environment-log.ts';
import type { FunctionLogs } from '../src/runtime/function-logs.ts';

it('joins continued lines to one event; separate lines stay separate', () => {
  const messages: string[] = [];
  const logs = { add: ({ message }: { message: string }) => messages.push(message) } as unknown as FunctionLogs;
  const log = new EnvironmentLog({
    functionName: 'f',
    version: '1',
    requestId: '0',
    group: 'g',
    stream: 's',
    format: 'Text',
    systemLevel: 'INFO',
    logs,
    now: () => 0,
  });
  const records: unknown[] = [];
  log.listener = ({ record }) => records.push(record);
  log.begin('1', true);
  log.output(Buffer.from('two\nlines\nerror\0\r  at here\0'), 'stdout', 'function');
  log.output(Buffer.from('\r  and there\nnot\rcut\n'), 'stdout', 'function');
  const expected = ['two\n', 'lines\n', 'error\n  at here\n  and there\n', 'not\rcut\n'];
  expect(messages).toEqual(expected);
  expect(records.map((record) => `${record}\n`)).toEqual(expected);
  expect(log.takeTail().toString()).toBe(expected.join(''));
});
