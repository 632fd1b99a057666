import { readFileSync } from 'node:fs';
import { type EmbeddedEmulator, SERVICES } from '@emu/emulator';
import { createEmulatorOf } from '@emu/emulator/plugins';
import { type ApiRecord, isApiRecord, type RecordedLine, type RecordedValue } from '@emu/recording';
import { embeddedTarget, ignoringEntry, parseIgnoreList, type ReplayResult, replay } from '@emu/replay';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../src/index.ts';
import type { Scenario, Send } from '../src/scenario.ts';
import { Recorder } from './support/recorder.ts';

const IGNORED = parseIgnoreList(readFileSync(new URL('../replay.json', import.meta.url), 'utf8'));
/**
 * Operations that are not recorded: those whose responses do not end, and scans and operations on stack sets, which take real
 * time and exclude each other.
 */
const LEFT_OUT =
  /^(?:SubscribeToShard|StartLiveTail|.*ResourceScan.*|.*GeneratedTemplates?|.*StackInstances|(?:Update|Delete|ImportStacksTo|Stop|Detect)StackSet.*|ImportStacksToStackSet)$/;
/** Milliseconds of emulated time between two operations. */
const INTERVAL = 1234;

async function openEmulator(scenario: Scenario, seed: string): Promise<EmbeddedEmulator> {
  const names = [scenario.service, ...(scenario.others ?? [])];
  const manifests = names.map((name) => SERVICES.find((manifest) => manifest.name === name)!);
  const settings = { ...scenario.settings, EMULATOR_LAMBDA_BACKEND: 'process' };
  const emulator = await createEmulatorOf([...manifests, ...(scenario.fakes ?? [])], {
    seed,
    logLevel: 'error',
    settings,
  });
  if (scenario.patience !== undefined) emulator.kernel.clock.patience = scenario.patience;
  return emulator;
}

/**
 * Records the state of a scenario, and then every operation with its base input. Later ones may fail.
 * @param wanted operations; all by default
 */
async function record(scenario: Scenario, wanted?: readonly string[]): Promise<RecordedLine[]> {
  await using emulator = await openEmulator(scenario, 'recorded');
  emulator.clock.freeze();
  const { clock } = emulator.kernel;
  const recorder = new Recorder(emulator);
  const client = scenario.client(recorder.recorded());
  const send: Send = async (operation, input) => {
    const pump = setInterval(() => void clock.advance(0), 10);
    try {
      return await client(operation, input);
    } finally {
      clearInterval(pump);
      await clock.advance(0);
    }
  };
  const facts = await scenario.setUp(send);
  const { operations } = (await emulator.kernel.service(scenario.service)).plugin;
  const names = Object.keys(scenario.model.operations).filter(
    (name) => Object.hasOwn(operations, name) && !LEFT_OUT.test(name),
  );
  const reads = names.filter((name) => Object.hasOwn(scenario.reads, name));
  for (const name of wanted ?? [...reads, ...names.filter((one) => !reads.includes(one))]) {
    await clock.advance(INTERVAL);
    try {
      const more = await scenario.before?.[name]?.(send, facts);
      await send(name, scenario.inputs[name]?.({ ...facts, ...more }) ?? {});
    } catch {
      // Errors are recorded, too.
    }
  }
  return recorder.lines;
}

async function replayed(scenario: Scenario, lines: readonly RecordedLine[]): Promise<ReplayResult> {
  await using emulator = await openEmulator(scenario, 'replayed');
  return await replay([{ file: 'scenario', lines }], {
    target: embeddedTarget(emulator),
    modelOf: async (service) => (await SERVICES.find(({ name }) => name === service)?.load())?.model,
  });
}

const leftOf = ({ differences }: ReplayResult): string[] =>
  differences
    .filter((difference) => !ignoringEntry(IGNORED, difference))
    .map(({ line, operation, class: kind, path, recorded, actual }) =>
      [line, operation, kind, path, recorded, actual].join(' | '),
    );

/** A change of a recorded response, and the class of the difference that it must result in. */
interface Mutant {
  readonly kind: string;
  /** Returns the changed record; undefined if the record has nothing to change. */
  change(record: ApiRecord): ApiRecord | undefined;
}

/** Returns an output with the first member changed that is chosen. */
function changedMember(
  record: ApiRecord,
  choose: (value: RecordedValue) => boolean,
  change: (value: RecordedValue) => RecordedValue | undefined,
): ApiRecord | undefined {
  const entries = Object.entries(record.output ?? {});
  const [name] = entries.find(([key, value]) => !NAMING.test(key) && choose(value)) ?? [];
  if (name === undefined) return undefined;
  const output = entries.flatMap(([key, value]) => {
    const changed = key === name ? change(value) : value;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  return { ...record, output: Object.fromEntries(output) };
}

/** Members by which later requests name something; a change makes these requests fail, too. */
const NAMING = /id$|arn|token|key|name|url|handle|code/i;

const isPlainText = (value: RecordedValue): boolean => typeof value === 'string' && /^[a-z]+$/i.test(value);

const MUTANTS: readonly Mutant[] = [
  {
    kind: 'missing member',
    change: (record) => record.output && { ...record, output: { ...record.output, Invented: 'x' } },
  },
  {
    kind: 'extra member',
    change: (record) =>
      changedMember(
        record,
        (value) => typeof value !== 'object',
        () => undefined,
      ),
  },
  {
    kind: 'other value',
    change: (record) => changedMember(record, isPlainText, (value) => `${String(value)}x`),
  },
  {
    kind: 'other value',
    change: (record) =>
      changedMember(
        record,
        (value) => typeof value === 'boolean',
        (value) => !value,
      ),
  },
  {
    kind: 'other code',
    change: (record) => record.error && { ...record, error: { ...record.error, code: 'InventedException' } },
  },
  {
    kind: 'other code',
    change: ({ error, ...record }) => error && ({ ...record, output: {} } as ApiRecord),
  },
  {
    kind: 'other message',
    change: (record) =>
      record.error && { ...record, error: { ...record.error, message: `${record.error.message} It failed.` } },
  },
  { kind: 'other status', change: (record) => ({ ...record, status: record.status + 1 }) },
];

const READS = /^(?:BatchGet|Check|Describe|Get|Head|List|Lookup|Poll|Query|Receive|Scan|Select|Test|Verify)/;

/** Changes one record by each mutant. @returns the changed recording, and the classes by line */
function mutated(lines: readonly RecordedLine[]): { lines: RecordedLine[]; expected: Map<number, string> } {
  const expected = new Map<number, string>();
  const changed = new Map<number, ApiRecord>();
  for (const { kind, change } of MUTANTS)
    for (const { line, record } of lines) {
      // Differences of polls before the last are not reported.
      if (!isApiRecord(record) || record.cut || changed.has(line) || READS.test(record.operation)) continue;
      const mutant = change(record);
      if (!mutant) continue;
      changed.set(line, mutant);
      expected.set(line, kind);
      break;
    }
  return { lines: lines.map(({ line, record }) => ({ line, record: changed.get(line) ?? record })), expected };
}

describe.each(Object.values(SCENARIOS).map((scenario) => [scenario.service, scenario] as const))(
  '%s',
  (_, scenario) => {
    it('is replayed without differences, and mutants of the recording are found', { timeout: 120_000 }, async () => {
      const lines = await record(scenario);
      expect(lines).not.toEqual([]);
      const first = await replayed(scenario, lines);
      expect(leftOf(first)).toEqual([]);
      expect(first.compared + first.leftOut).toBe(lines.length);

      const mutants = mutated(lines);
      expect(mutants.expected.size).toBeGreaterThan(1);
      const { differences } = await replayed(scenario, mutants.lines);
      for (const [line, kind] of mutants.expected)
        expect(differences.filter((difference) => difference.line === line).map((one) => one.class)).toContain(kind);
    });
  },
);

it('finds a list in another order, where AWS defines one', async () => {
  const scenario = SCENARIOS.kinesis;
  const lines = await record(scenario, ['CreateStream', 'ListStreams']);
  const names = (lines.at(-1)!.record as ApiRecord).output!.StreamNames as string[];
  expect(names.length).toBeGreaterThan(1);
  const swapped = lines.map(({ line, record: each }): RecordedLine => {
    if (!isApiRecord(each) || each.operation !== 'ListStreams') return { line, record: each };
    return { line, record: { ...each, output: { ...each.output, StreamNames: [...names].reverse() } } };
  });
  const { differences } = await replayed(scenario, swapped);
  expect(differences.map(({ operation, class: kind, path }) => [operation, kind, path])).toEqual([
    ['ListStreams', 'other order', 'StreamNames'],
  ]);
});
