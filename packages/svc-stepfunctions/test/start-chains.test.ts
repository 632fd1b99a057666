import { expect, it } from 'vitest';
import { type ChainLink, nextLink, StartChains } from '../src/executions/start-chains.ts';

/** Starts a state machine until the chain refuses it. @returns the number of starts */
function startsOf(link: ChainLink, machine: string, now: number): number {
  for (let starts = 0; ; starts++) if (!nextLink(link, machine, now)) return starts;
}

it('limits the starts of state machines that are in the chain, for all its executions together', () => {
  const chains = new StartChains();
  const first = chains.of('a1', 'a', 0);
  const second = nextLink(first, 'b', 0)!;
  chains.begin('b1', second);
  expect(startsOf(chains.of('b1', 'b', 0), 'a', 0)).toBe(1000);
  expect(nextLink(first, 'a', 0)).toBeUndefined();
  expect(nextLink(first, 'c', 0)).toBeDefined();
  expect(startsOf(chains.of('a2', 'a', 0), 'a', 0)).toBe(1000);
});

it('never ends a chain that starts one execution per second', () => {
  const link = new StartChains().of('a1', 'a', 0);
  startsOf(link, 'a', 0);
  for (let second = 1; second <= 100; second++) expect(startsOf(link, 'a', second * 1000)).toBe(1);
});

it('keeps nothing of an execution that has ended', () => {
  const chains = new StartChains();
  const link = chains.of('a1', 'a', 0);
  chains.end('a1');
  expect(chains.of('a1', 'a', 0)).not.toBe(link);
});
