import { SERVICES } from '@emu/emulator';
import { expect, it } from 'vitest';
import { sharedPath } from '../../../testing/shared.ts';
import { AnswerReader, knownAnswers, missingMembers, recordedAnswers } from '../../src/answers.ts';
import { losses, readBaseline } from '../../src/baseline.ts';
import { refusedEmpties, unknownIgnored } from '../../src/empties.ts';
import { foreignArns, misplacedCalls } from '../../src/foreign-arns.ts';
import { knownRequests } from '../../src/known.ts';
import { memberLosses, readMembers } from '../../src/members.ts';
import { runScenario, type ScenarioRun } from '../../src/run.ts';
import type { Scenario } from '../../src/scenario.ts';
import { oversized } from '../../src/sizes.ts';
import { describePermissions } from './permissions.ts';

const answers = sharedPath('aws-answers');

/**
 * Compares a service's permissions with AWS's, runs its requests like `pnpm conformance`, and compares them with the
 * committed baseline and its answers with AWS's.
 */
export function describeConformance(scenario: Scenario): void {
  const { service } = scenario;
  let run: Promise<ScenarioRun> | undefined;
  const runOnce = (): Promise<ScenarioRun> => (run ??= runScenario(scenario));
  describePermissions(scenario);

  it(`${service} loses nothing that is committed`, { timeout: 300_000 }, async () => {
    const { report } = await runOnce();
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

  it(`${service} uses no resource at home for an ARN of another region or account`, { timeout: 120_000 }, async () => {
    expect(await misplacedCalls(scenario)).toEqual([]);
  });

  it.skipIf(!answers)(`${service} encodes AWS's recorded answers, and the SDK decodes them without loss`, async () => {
    const reader = new AnswerReader(scenario);
    const { changed } = knownAnswers();
    for (const answer of await recordedAnswers(answers!, scenario)) {
      const { from } = answer;
      expect({ from, unknown: answer.unknown.length > 0 }).toEqual({ from, unknown: Object.hasOwn(changed, from) });
      expect({ from, ...(await reader.read(answer)) }).toEqual({ from, ...reader.expected(answer) });
    }
  });

  it.skipIf(!answers)(
    `${service} returns the members of AWS's recorded answers, except for the committed ones`,
    {
      timeout: 300_000,
    },
    async () => {
      const recorded = await recordedAnswers(answers!, scenario);
      const { operations } = await SERVICES.find(({ name }) => name === service)!.load();
      const implemented = recorded.filter(({ operation }) => Object.hasOwn(operations, operation));
      const { returned } = await runOnce();
      // The list contains no member that emu returns, so that it only shrinks.
      expect(missingMembers(scenario, implemented, returned)).toEqual(knownAnswers().missing[service] ?? {});
    },
  );
}
