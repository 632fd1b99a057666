import { expect, it } from 'vitest';
import { losses, readBaseline } from '../../src/baseline.ts';
import { refusedEmpties, unknownIgnored } from '../../src/empties.ts';
import { foreignArns } from '../../src/foreign-arns.ts';
import { knownRequests } from '../../src/known.ts';
import { memberLosses, readMembers } from '../../src/members.ts';
import { runScenario } from '../../src/run.ts';
import type { Scenario } from '../../src/scenario.ts';
import { oversized } from '../../src/sizes.ts';
import { describePermissions } from './permissions.ts';

/** Compares a service's permissions with AWS's, and runs its requests like `pnpm conformance`, and compares with the committed baseline. */
export function describeConformance(scenario: Scenario): void {
  const { service } = scenario;
  describePermissions(scenario);

  it(`${service} loses nothing that is committed`, { timeout: 300_000 }, async () => {
    const report = await runScenario(scenario);
    const known = readBaseline()[service] ?? {};
    expect(losses({ [service]: known }, { [service]: report })).toEqual([]);
    expect(memberLosses(readMembers(), { [service]: report })).toEqual([]);
    expect(Object.keys(report)).toEqual(Object.keys(known));
  });

  it(`${service} answers extreme numbers, times and lists in every member with errors of its own`, {
    timeout: 300_000,
  }, async () => {
    expect(await oversized(scenario)).toEqual([]);
  });

  it(`${service} rejects an empty value of an optional member only where AWS does`, { timeout: 120_000 }, async () => {
    const known = knownRequests('empties', service);
    const refused = await refusedEmpties(scenario);
    const unknown = refused.filter(({ request }) => !known.includes(request));
    expect(unknown.map(({ request, error }) => `${request}: ${error}`)).toEqual([]);
    // The list contains no request that succeeds.
    expect(refused).toHaveLength(known.length);
    expect(await unknownIgnored(scenario)).toEqual([]);
  });

  it(`${service} finds nothing by ARNs of other regions and accounts`, { timeout: 120_000 }, async () => {
    expect(await foreignArns(scenario)).toEqual(knownRequests('foreign-arns', service).sort());
  });
}
