import { setTimeout as sleep } from 'node:timers/promises';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { seededRandom } from '../src/random.ts';
import { clientOf, deleteUntilGone, drain, Ledger, sendUntilGone } from '../src/traffic.ts';

const ROUNDS = Number(process.env.EMU_CRASH_ROUNDS ?? 15);
const SEED = Number(process.env.EMU_CRASH_SEED ?? 20_260);
const WRITERS = 6;

let directory: ReturnType<typeof temporaryDirectory>;
let emu: Emu;
let sqs: SQSClient;

async function start(): Promise<void> {
  emu = await startEmu({ dataPath: directory.path });
  sqs = clientOf(emu.url);
}

beforeAll(async () => {
  directory = temporaryDirectory();
  await start();
});
afterAll(async () => {
  await emu?.kill();
  directory[Symbol.dispose]();
});

/** Returns the messages that are missing or unexpected; empty if all are correct. */
function losses(ledger: Ledger, found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const body of found) counts.set(body, (counts.get(body) ?? 0) + 1);
  return [
    ...[...ledger.acknowledged]
      .filter((body) => !ledger.deleting.has(body) && !counts.has(body))
      .map((body) => `${body} was acknowledged and is lost`),
    ...[...counts].filter(([, count]) => count > 1).map(([body, count]) => `${body} is there ${count} times`),
    ...[...counts.keys()].filter((body) => !ledger.sent.has(body)).map((body) => `${body} was never sent`),
    ...[...counts.keys()].filter((body) => ledger.deleted.has(body)).map((body) => `${body} was deleted and is back`),
  ];
}

test(`${ROUNDS} SIGKILLs lose no acknowledged message (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const random = seededRandom(SEED);
  let acknowledged = 0;
  let deleted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const ledger = new Ledger();
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `round-${round}` }));
    const path = new URL(QueueUrl!).pathname;
    const traffic = [
      ...Array.from({ length: WRITERS }, (_, writer) => sendUntilGone(sqs, QueueUrl!, `w${writer}`, ledger)),
      deleteUntilGone(sqs, QueueUrl!, ledger),
    ];
    await sleep(50 + random() * 700);
    await emu.kill();
    await Promise.all(traffic);
    sqs.destroy();
    await start();
    // The port has changed, and with it the address in the queue's URL.
    const found = await drain(sqs, `${emu.url}${path}`);
    expect(losses(ledger, found), `round ${round}`).toEqual([]);
    acknowledged += ledger.acknowledged.size;
    deleted += ledger.deleted.size;
  }
  expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
  expect(deleted).toBeGreaterThan(0);
});
