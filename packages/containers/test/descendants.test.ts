import { expect, it } from 'vitest';
import { Descendants } from '../src/process/descendants.ts';
import { type ProcessTable, readProcesses } from '../src/process/process-table.ts';

const table = (...entries: [pid: number, parent: number, start?: string][]): ProcessTable =>
  new Map(entries.map(([pid, parent, start = '1']) => [pid, { pid, parent, group: pid, start }]));

it('are known after their parents have ended, and removed when they end or another process has their id', () => {
  const told: string[] = [];
  const descendants = new Descendants(10, {
    found: (pid) => told.push(`+${pid}`),
    gone: (pid) => told.push(`-${pid}`),
  });
  descendants.look(table([12, 11], [11, 10], [10, 1], [20, 1]));
  expect(told).toEqual(['+11', '+12']);
  descendants.look(table([12, 1], [13, 12], [20, 1]));
  expect(told.slice(2)).toEqual(['-11', '+13']);
  descendants.look(table([12, 1, '2'], [13, 1]));
  expect(told.slice(4)).toEqual(['-12']);
});

it('are read from the system', () => {
  const own = readProcesses().get(process.pid);
  if (process.platform !== 'linux') expect(own).toBeUndefined();
  else
    expect(own).toEqual({
      pid: process.pid,
      parent: process.ppid,
      group: expect.any(Number),
      start: expect.stringMatching(/^\d+$/),
    });
});
